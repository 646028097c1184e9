const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** Formats a number of bytes, such as `12.3 MB`. */
export function sizeOf(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  return `${step === 0 ? bytes : (bytes / 1000 ** step).toFixed(1)} ${UNITS[step]}`;
}
