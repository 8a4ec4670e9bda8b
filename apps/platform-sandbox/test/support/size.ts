const IS_LONG = Boolean(process.env['GONDOLA_LONG']);

/** `normal`, or with GONDOLA_LONG `long`. */
export function sized(normal: number, long: number): number {
  return IS_LONG ? long : normal;
}
