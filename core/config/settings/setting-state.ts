/** How Keyhost treats a setting of Keycloak. Each setting has exactly one state. */
export type SettingState =
  /** The setting has its effect; the test (a file of `test/`, without `.test.ts`) proves it. */
  | { readonly state: 'works'; readonly test: string }
  /** A realm with this setting is rejected. */
  | { readonly state: 'refused'; readonly sentence: string }
  | Told;

/** The setting is stored and has no effect, and a warning at its place reports that. */
export interface Told {
  readonly state: 'told';
  /** The sentence of the warning: what happens instead. */
  readonly sentence: string;
  /** Values, as texts, that ask for no effect, in addition to Keycloak's words for none. */
  readonly unless: readonly string[];
  /** True if the setting promises protection: production rejects it. */
  readonly promises: boolean;
  /** True for a list that Keycloak computes and never reads from a request: no list asks for an effect. */
  readonly computed: boolean;
  /** True if one warning covers the owner as a whole. */
  readonly whole: boolean;
}

/** By the setting's name. */
export type Settings = Readonly<Record<string, SettingState>>;

/** @param names separated by blanks */
export function works(test: string, names: string): Settings {
  return states(names, { state: 'works', test });
}

/**
 * @param sentence the effect that Keyhost has instead
 * @param names separated by blanks
 */
export function told(
  sentence: string,
  names: string,
  { unless = [], promises = false, whole = false, computed = false }: Partial<Omit<Told, 'state' | 'sentence'>> = {},
): Settings {
  return states(names, { state: 'told', sentence, unless, promises, whole, computed });
}

/** Like `told`, for a setting that someone relies on for protection. */
export function unkept(sentence: string, names: string, unless: readonly string[] = []): Settings {
  return told(sentence, names, { promises: true, unless });
}

/** @param sentence why a realm with it is rejected */
export function refused(sentence: string, names: string): Settings {
  return states(names, { state: 'refused', sentence });
}

/** Settings of an owner that gets one warning as a whole, such as a user storage. */
export function whole(sentence: string, names: string): Settings {
  return told(sentence, names, { whole: true });
}

/** @throws Error if a name has two states */
export function settings(...some: readonly Settings[]): Settings {
  const all: Record<string, SettingState> = {};
  for (const [name, state] of some.flatMap(Object.entries) as [string, SettingState][]) {
    if (Object.hasOwn(all, name)) throw new Error(`the setting ${name} has two states`);
    all[name] = state;
  }
  return all;
}

function states(names: string, state: SettingState): Settings {
  const list = names.split(/\s+/).filter((name) => name !== '');
  return Object.fromEntries(list.map((name) => [name, state]));
}
