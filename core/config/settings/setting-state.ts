/** How Keyhost treats a setting of Keycloak. Each setting has exactly one state. */
export type SettingState =
  /** The setting has its effect; the test (a file of `test/`, without `.test.ts`) proves it. */
  | { readonly state: 'works'; readonly test: string }
  /** A realm with this setting is rejected. */
  | { readonly state: 'rejected'; readonly sentence: string }
  | IgnoredSetting;

/** The setting is stored and has no effect, and a warning at its place reports that. */
export interface IgnoredSetting {
  readonly state: 'ignored';
  /** The sentence of the warning: what happens instead. */
  readonly sentence: string;
  /** Values, as texts, that ask for no effect, in addition to Keycloak's words for none. */
  readonly exceptValues: readonly string[];
  /** True if the setting promises protection: production rejects it. */
  readonly isProtection: boolean;
  /** True for a list that Keycloak computes and never reads from a request: no list asks for an effect. */
  readonly isComputedList: boolean;
  /** True if one warning covers the owner as a whole. */
  readonly isWholeOwner: boolean;
}

/** By the setting's name. */
export type Settings = Readonly<Record<string, SettingState>>;

/** @param names separated by blanks */
export function supported(test: string, names: string): Settings {
  return states(names, { state: 'works', test });
}

/**
 * @param sentence the effect that Keyhost has instead
 * @param names separated by blanks
 */
export function ignored(
  sentence: string,
  names: string,
  {
    exceptValues = [],
    isProtection = false,
    isWholeOwner = false,
    isComputedList = false,
  }: Partial<Omit<IgnoredSetting, 'state' | 'sentence'>> = {},
): Settings {
  return states(names, {
    state: 'ignored',
    sentence,
    exceptValues,
    isProtection,
    isWholeOwner,
    isComputedList,
  });
}

/** Like `ignored`, for a setting that someone relies on for protection. */
export function ignoredProtection(sentence: string, names: string, unless: readonly string[] = []): Settings {
  return ignored(sentence, names, { isProtection: true, exceptValues: unless });
}

/** @param sentence why a realm with it is rejected */
export function rejected(sentence: string, names: string): Settings {
  return states(names, { state: 'rejected', sentence });
}

/** Settings of an owner that gets one warning as a whole, such as a user storage. */
export function ignoredAsWhole(sentence: string, names: string): Settings {
  return ignored(sentence, names, { isWholeOwner: true });
}

/** @throws Error if a name has two states */
export function mergeSettings(...groups: readonly Settings[]): Settings {
  const merged: Record<string, SettingState> = {};
  for (const [name, state] of groups.flatMap(Object.entries) as [string, SettingState][]) {
    if (Object.hasOwn(merged, name)) throw new Error(`the setting ${name} has two states`);
    merged[name] = state;
  }
  return merged;
}

function states(names: string, state: SettingState): Settings {
  const list = names.split(/\s+/).filter((name) => name !== '');
  return Object.fromEntries(list.map((name) => [name, state]));
}
