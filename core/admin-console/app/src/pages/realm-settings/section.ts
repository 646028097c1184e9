import type { RealmChange, RealmSettings } from '../../api/realm-settings.ts';

/** Seconds and numbers are undefined while the input is not a number. */
export type SettingValue = string | boolean | number | undefined;

/** The field for one setting. */
export type SettingField<V> =
  | { readonly kind: 'check' | 'text' | 'number' | 'duration' | 'secret'; readonly name: keyof V & string }
  | { readonly kind: 'choice'; readonly name: keyof V & string; readonly options: Options };

export type Options = readonly (readonly [value: string, label: string])[];

/** A group of settings with a title. */
export interface SettingGroup<V> {
  readonly title: string;
  readonly fields: readonly SettingField<V>[];
}

/** A section of a realm's settings that is saved as a whole. */
export interface Section<V extends { readonly [M in keyof V]: SettingValue }> {
  readonly title: string;
  readonly labels: Readonly<Record<keyof V & string, string>>;
  readonly help: Readonly<Partial<Record<keyof V & string, string>>>;
  /** The values of the form for a realm. */
  readonly read: (realm: RealmSettings) => V;
  /** The request for the changes. */
  readonly toChange: (changes: Partial<V>, realm: RealmSettings) => RealmChange;
  /** The fields that are shown for these values. */
  readonly groups: (value: V) => readonly SettingGroup<V>[];
}

/** A function that picks some settings of a realm. */
export function pickMembers<M extends keyof RealmSettings>(
  names: readonly M[],
): (realm: RealmSettings) => Pick<RealmSettings, M> {
  return (realm) => Object.fromEntries(names.map((name) => [name, realm[name]])) as Pick<RealmSettings, M>;
}

/** A field for each name, all of the same type. */
export function fieldsOf<V>(
  kind: 'check' | 'text' | 'number' | 'duration' | 'secret',
  ...names: readonly (keyof V & string)[]
): SettingField<V>[] {
  return names.map((name) => ({ kind, name }));
}
