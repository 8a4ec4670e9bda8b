import { reachOf } from '@gondola/shared/reachable-address';
import { ALL_EVENT_NAMES } from '@gondola/shared/topics/event-names';
import type { Registration, RegistrationNotice, RegistrationProblem } from './registration.dto.ts';
import { tokenWeakness, type TokenWeakness } from './token-strength.ts';

/** A requested registration, with the tenant's settings from the tenants file. */
export interface RegistrationWish {
  readonly tenant: string;
  readonly url: string;
  /** Event names besides the documented ones and those of the profile. */
  readonly events: readonly string[];
  /** `webhook.tokens` of the tenant; the first is registered. */
  readonly tokens: readonly string[];
  /** `platform.baseUrl` of the tenant. */
  readonly platformUrl: string;
  /** `moreEventTypes` of the tenant's wire profile. */
  readonly profileEvents: readonly string[];
}

/** A registration that is to be confirmed: a single problem forbids it. */
export type RegistrationPlan = Pick<Registration, 'url' | 'events' | 'problems' | 'warnings'>;

const EVENT_NAME = /^[A-Za-z]\w{0,99}$/;
const MAX_URL_LENGTH = 2_000;
/**
 * Accepts one host after two slashes and no backslash, which some URL parsers read as a slash and others do not.
 */
const IS_PLAIN_URL = /^https?:\/\/(?!\/)[\x21-\x5b\x5d-\x7e]+$/i;
const OWN_PATH = /\/webhooks\/platform(?:\/([^/]+))?\/?$/;

/**
 * Builds the registration and decides whether it is allowed, because a webhook can never be changed (rule 37).
 * Pure; the result never holds the token.
 */
export function judgeRegistration(wish: RegistrationWish): RegistrationPlan {
  const { tenant, tokens, profileEvents } = wish;
  const verdict = judgeUrl(wish);
  const problems: RegistrationProblem[] = [...verdict.problems];
  const events = [...new Set<string>([...ALL_EVENT_NAMES, ...profileEvents, ...wish.events])];
  if (!events.every((name) => EVENT_NAME.test(name))) {
    problems.push({
      code: 'EVENT_NAME_INVALID',
      message: 'An event name is a letter, then letters, digits and _, such as Brand_Created',
    });
  }
  const [token] = tokens;
  if (token === undefined) {
    problems.push({
      code: 'TOKEN_MISSING',
      message: `Tenant ${tenant} has no webhook.tokens; give it one of ${STRONG}`,
    });
  } else {
    const weakness = tokenWeakness(token, tenant);
    if (weakness !== null) {
      const message = `The first of webhook.tokens ${WEAK[weakness]}, and can never be changed once it is registered; use ${STRONG}`;
      problems.push({ code: 'TOKEN_WEAK', message });
    }
  }
  return { url: verdict.url, events, problems, warnings: verdict.warnings };
}

const STRONG = '32 random characters or more, such as `openssl rand -hex 32` gives';
const WEAK: Readonly<Record<TokenWeakness, string>> = {
  'too-short': 'is shorter than 32 characters',
  'too-regular': 'repeats too few characters to be random',
  'guessable-words': 'has words in it that can be guessed',
};

type UrlVerdict = Pick<RegistrationPlan, 'url' | 'problems' | 'warnings'>;

function judgeUrl({ url: text, tenant, platformUrl }: RegistrationWish): UrlVerdict {
  // A URL parser silently repairs other forms, and the platform might then deliver elsewhere.
  const url = IS_PLAIN_URL.test(text) && text.length <= MAX_URL_LENGTH ? URL.parse(text) : null;
  if (url === null) {
    const message = `The url is an absolute address without spaces and backslashes, such as https://erp.example.com/webhooks/platform/${tenant}`;
    return { url: '', problems: [{ code: 'URL_INVALID', message }], warnings: [] };
  }
  const problems: RegistrationProblem[] = [];
  const reach = reachOf(url.hostname);
  // A sandbox on this machine or network can deliver to addresses that a real platform cannot reach.
  const isLocalPlay = reach !== 'internet' && reach === reachOf(new URL(platformUrl).hostname);
  if (url.username !== '' || url.password !== '') {
    problems.push({
      code: 'URL_HAS_CREDENTIALS',
      message: 'The url has no user and no password; the token identifies the platform',
    });
  }
  if (url.hash !== '')
    problems.push({ code: 'URL_HAS_FRAGMENT', message: 'The url has no #; nothing behind it is ever sent' });
  if (!isLocalPlay && url.protocol !== 'https:') {
    problems.push({ code: 'URL_NOT_HTTPS', message: 'The url begins with https://; orders hold personal data' });
  }
  if (!isLocalPlay && reach !== 'internet') {
    const message =
      'The host is one that the platform can reach from the internet: no private or loopback address, no local name';
    problems.push({ code: 'URL_NOT_PUBLIC', message });
  }
  const path = OWN_PATH.exec(url.pathname);
  const named = path?.[1];
  if (named !== undefined && named !== tenant) {
    const message = `The url ends with another tenant's name, whose token it would be refused for; it ends with /webhooks/platform/${tenant}`;
    problems.push({ code: 'URL_OF_ANOTHER_TENANT', message });
  }
  const warnings: RegistrationNotice[] = [];
  if (isLocalPlay) {
    const message =
      'A local address is taken because the platform of this tenant is as local as it is; no real platform could reach it';
    warnings.push({ code: 'URL_LOCAL', message });
  }
  if (path === null) {
    const message = `The url does not end with /webhooks/platform/${tenant}; a proxy in front has to lead it there`;
    warnings.push({ code: 'URL_PATH', message });
  }
  // The URL is shown and stored, so a typed password is removed.
  if (url.username !== '' || url.password !== '') {
    url.username = '';
    url.password = '';
    return { url: url.href, problems, warnings };
  }
  return { url: text, problems, warnings };
}
