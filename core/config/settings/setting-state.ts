/** What Keyhost does with a setting of Keycloak's. Each has exactly one state. */
export type SettingState =
  /** It acts; the test (a file of `test/`, without `.test.ts`) shows how. */
  | { readonly state: 'works'; readonly test: string }
  /** A realm with it is refused. */
  | { readonly state: 'refused'; readonly sentence: string }
  | Told;

/** It is kept, and does nothing: a warning says so where it stands. */
export interface Told {
  readonly state: 'told';
  /** What happens in its place. */
  readonly sentence: string;
  /** Values that ask for nothing, as texts, besides Keycloak's words for none. */
  readonly unless: readonly string[];
  /** True: it promises protection. Production refuses it. */
  readonly promises: boolean;
  /** True for a list that Keycloak computes, whatever it is sent: no list asks for anything. */
  readonly computed: boolean;
  /** True: the thing that it belongs to is told as a whole. */
  readonly whole: boolean;
}

/** By the setting's name. */
export type Settings = Readonly<Record<string, SettingState>>;

/** @param names between blanks */
export function works(test: string, names: string): Settings {
  return states(names, { state: 'works', test });
}

/** @param sentence what happens in place of what the setting says; @param names between blanks */
export function told(
  sentence: string,
  names: string,
  { unless = [], promises = false, whole = false, computed = false }: Partial<Omit<Told, 'state' | 'sentence'>> = {},
): Settings {
  return states(names, { state: 'told', sentence, unless, promises, whole, computed });
}

/** As `told`, of what somebody relies on for protection. */
export function unkept(sentence: string, names: string, unless: readonly string[] = []): Settings {
  return told(sentence, names, { promises: true, unless });
}

/** @param sentence why a realm with it is refused */
export function refused(sentence: string, names: string): Settings {
  return states(names, { state: 'refused', sentence });
}

/** Of a thing that is told as a whole, such as a user storage. */
export function whole(sentence: string, names: string): Settings {
  return told(sentence, names, { whole: true });
}

/** @throws Error where a name has two states */
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
