import { describe, expect, it } from '@jest/globals';
import { AnswerRoom, NoRoomError } from './answer-room.ts';

describe('the room for answers', () => {
  it('is shared by all, and free again once an answer was read', () => {
    const room = new AnswerRoom(100);
    const [one, other] = [room.open(), room.open()];
    one.grow(60);
    other.grow(40);
    expect(() => other.grow(1)).toThrow(NoRoomError);
    one.release();
    other.grow(60);
    expect(() => room.open().grow(1)).toThrow(NoRoomError);
  });

  it('is not taken any more by an answer whose caller has gone', () => {
    const room = new AnswerRoom(100);
    const gone = room.open();
    gone.grow(60);
    gone.release();
    gone.grow(60);
    expect(() => room.open().grow(100)).not.toThrow();
  });

  it('is not freed twice by one call', () => {
    const room = new AnswerRoom(100);
    const [one, other] = [room.open(), room.open()];
    one.grow(50);
    other.grow(50);
    one.release();
    one.release();
    room.open().grow(50);
    expect(() => room.open().grow(1)).toThrow(NoRoomError);
  });
});
