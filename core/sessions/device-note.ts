/** What a browser says it is. Every member is text of this file or digits of the browser's. */
export interface Device {
  /** Such as `Windows`; `Other` where nobody knows. */
  readonly os: string;
  /** Such as `14.4`; empty where it is not told. */
  readonly osVersion: string;
  /** Name and version as `Firefox/126.0`; `Unknown` where nobody knows. */
  readonly browser: string;
  readonly mobile: boolean;
}

/** Keycloak's note of a user session: the device as JSON in base64. */
const NOTE = 'KC_DEVICE_NOTE';
/** Longest `User-Agent` that is read, in characters. */
const LIMIT = 500;
const UNKNOWN: Device = { os: 'Other', osVersion: '', browser: 'Unknown', mobile: false };

/** In the order in which they are looked for: a browser names itself, and others that it is compatible with. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/([\d.]+)/],
  ['Opera', /\b(?:OPR|OPiOS|Opera)\/([\d.]+)/],
  ['Samsung Internet', /\bSamsungBrowser\/([\d.]+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/([\d.]+)/],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\/([\d.]+)/],
  ['Safari', /\bVersion\/([\d.]+)(?: Mobile\/\S+)? Safari\//],
];

const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['iOS', /\b(?:iPhone|iPad|iPod)\b.*? OS ([\d_]+)/],
  ['Android', /\bAndroid(?: ([\d.]+))?/],
  ['Windows', /\bWindows NT ([\d.]+)/],
  ['Mac OS X', /\bMac OS X ([\d_.]+)/],
  ['Chrome OS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];
/** No version: browsers say that they run there whatever runs them (`Windows NT 10.0`, `Mac OS X 10_15_7`). */
const FROZEN = new Set(['Windows', 'Mac OS X']);

/** What is remembered of the browser that a session began in. */
export function deviceNote(userAgent: string): Readonly<Record<string, string>> {
  return userAgent === '' ? {} : { [NOTE]: Buffer.from(JSON.stringify(deviceOf(userAgent))).toString('base64') };
}

/** The device of a session; one of a password grant has none. */
export function readDevice(notes: Readonly<Record<string, string>>): Device {
  const note = notes[NOTE];
  if (note === undefined) return UNKNOWN;
  try {
    return { ...UNKNOWN, ...(JSON.parse(Buffer.from(note, 'base64').toString()) as Partial<Device>) };
  } catch {
    return UNKNOWN;
  }
}

function deviceOf(header: string): Device {
  const userAgent = header.slice(0, LIMIT);
  const [browser, version = ''] = found(BROWSERS, userAgent);
  const [os = UNKNOWN.os, osVersion = ''] = found(SYSTEMS, userAgent);
  return {
    os,
    osVersion: FROZEN.has(os) ? '' : osVersion.replaceAll('_', '.'),
    browser: browser === undefined ? UNKNOWN.browser : `${browser}/${version}`,
    mobile: /\b(?:Mobile|Android|iPhone|iPad|iPod)\b/.test(userAgent),
  };
}

function found(
  table: readonly (readonly [string, RegExp])[],
  text: string,
): readonly [name?: string, version?: string] {
  for (const [name, pattern] of table) {
    const match = pattern.exec(text);
    if (match !== null) return [name, (match[1] ?? '').slice(0, 20)];
  }
  return [];
}
