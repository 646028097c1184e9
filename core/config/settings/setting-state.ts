/** How Keyhost treats a setting of Keycloak. Each setting has exactly one state. */
export type SettingState =
  /** The setting has its effect, as `test` proves: the path of a file in `test/`, without `.test.ts`. */
  | { readonly state: 'works'; readonly test: string }
  /** A realm with this setting is rejected. */
  | { readonly state: 'rejected'; readonly sentence: string }
  | IgnoredSetting;

/** The setting is stored without effect, and a warning with its position in the file reports that. */
export interface IgnoredSetting {
  readonly state: 'ignored';
  /** The sentence of the warning: what happens instead. */
  readonly sentence: string;
  /**
   * Values that ask for no effect, in addition to Keycloak's words for “none”. Values other than strings are compared
   * as JSON.
   */
  readonly exceptValues: readonly string[];
  /** True if the setting promises protection: production rejects it. */
  readonly isProtection: boolean;
  /** True for a list that Keycloak computes and never reads from a request, so that no list asks for an effect. */
  readonly isComputedList: boolean;
  /** True if one warning about the owner covers all of its settings. */
  readonly isWholeOwner: boolean;
}

/** By the setting's name. */
export type Settings = Readonly<Record<string, SettingState>>;

/** @param names separated by blanks */
export function supported(test: string, names: string): Settings {
  return settingsOf(names, { state: 'works', test });
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
  return settingsOf(names, {
    state: 'ignored',
    sentence,
    exceptValues,
    isProtection,
    isWholeOwner,
    isComputedList,
  });
}

/** Like `ignored`, for settings that promise protection. */
export function ignoredProtection(sentence: string, names: string, exceptValues: readonly string[] = []): Settings {
  return ignored(sentence, names, { isProtection: true, exceptValues });
}

/** @param sentence why a realm with the setting is rejected */
export function rejected(sentence: string, names: string): Settings {
  return settingsOf(names, { state: 'rejected', sentence });
}

/** The settings of an owner that gets a single warning, such as a user storage. */
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

function settingsOf(names: string, state: SettingState): Settings {
  const list = names.split(/\s+/).filter((name) => name !== '');
  return Object.fromEntries(list.map((name) => [name, state]));
}
