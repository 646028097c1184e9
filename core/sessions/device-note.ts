/**
 * The device of a browser, from its `User-Agent`. The texts are safe to display: names are constants of this file, and
 * versions consist of digits.
 */
export interface Device {
  /** For example `Windows`; `Other` if unknown. */
  readonly os: string;
  /** For example `14.4`; empty if unknown. */
  readonly osVersion: string;
  /** Name and version such as `Firefox/126.0`; `Unknown` if unknown. */
  readonly browser: string;
  readonly mobile: boolean;
}

/** Keycloak's user session note: the device as JSON in base64. */
const DEVICE_NOTE = 'KC_DEVICE_NOTE';
/** Maximum length of the `User-Agent` in characters. */
const MAX_HEADER_LENGTH = 500;
const UNKNOWN: Device = { os: 'Other', osVersion: '', browser: 'Unknown', mobile: false };

/** In order of precedence, because a browser's header also names others that it is compatible with. */
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
/** Systems whose real version browsers no longer report: it is always `Windows NT 10.0` or `Mac OS X 10_15_7`. */
const FROZEN_VERSION_SYSTEMS = new Set(['Windows', 'Mac OS X']);

/** The note about the browser in which a session starts. */
export function deviceNote(userAgent: string): Readonly<Record<string, string>> {
  return userAgent === '' ? {} : { [DEVICE_NOTE]: Buffer.from(JSON.stringify(deviceOf(userAgent))).toString('base64') };
}

/** The device of a session; unknown if no browser started it, as with a password grant. */
export function readDevice(notes: Readonly<Record<string, string>>): Device {
  const note = notes[DEVICE_NOTE];
  if (note === undefined) return UNKNOWN;
  try {
    return { ...UNKNOWN, ...(JSON.parse(Buffer.from(note, 'base64').toString()) as Partial<Device>) };
  } catch {
    return UNKNOWN;
  }
}

function deviceOf(header: string): Device {
  const userAgent = header.slice(0, MAX_HEADER_LENGTH);
  const [browser, version = ''] = matchFirst(BROWSERS, userAgent);
  const [os = UNKNOWN.os, osVersion = ''] = matchFirst(SYSTEMS, userAgent);
  return {
    os,
    osVersion: FROZEN_VERSION_SYSTEMS.has(os) ? '' : osVersion.replaceAll('_', '.'),
    browser: browser === undefined ? UNKNOWN.browser : `${browser}/${version}`,
    mobile: /\b(?:Mobile|Android|iPhone|iPad|iPod)\b/.test(userAgent),
  };
}

function matchFirst(
  table: readonly (readonly [string, RegExp])[],
  text: string,
): readonly [name?: string, version?: string] {
  for (const [name, pattern] of table) {
    const match = pattern.exec(text);
    if (match !== null) return [name, (match[1] ?? '').slice(0, 20)];
  }
  return [];
}
