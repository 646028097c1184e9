import type { RealmSettings, SentRealm } from '../../api/realm-settings.ts';

/** Seconds and numbers are undefined while nothing that is a number is typed. */
export type SettingValue = string | boolean | number | undefined;

/** How one setting is edited. */
export type SettingField<V> =
  | { readonly kind: 'check' | 'text' | 'number' | 'duration' | 'secret'; readonly name: keyof V & string }
  | { readonly kind: 'choice'; readonly name: keyof V & string; readonly options: Options };

export type Options = readonly (readonly [value: string, label: string])[];

/** Settings that stand together under a name. */
export interface SettingGroup<V> {
  readonly title: string;
  readonly fields: readonly SettingField<V>[];
}

/** A section of a realm's settings, which is saved as a whole. */
export interface Section<V extends { readonly [M in keyof V]: SettingValue }> {
  readonly title: string;
  readonly labels: Readonly<Record<keyof V & string, string>>;
  readonly help: Readonly<Partial<Record<keyof V & string, string>>>;
  /** What the form holds of a realm. */
  readonly read: (realm: RealmSettings) => V;
  /** What is sent for what was changed. */
  readonly sent: (changes: Partial<V>, realm: RealmSettings) => SentRealm;
  /** The fields that there are with these values. */
  readonly groups: (value: V) => readonly SettingGroup<V>[];
}

/** A part of a realm's settings, as it is. */
export function picked<M extends keyof RealmSettings>(
  names: readonly M[],
): (realm: RealmSettings) => Pick<RealmSettings, M> {
  return (realm) => Object.fromEntries(names.map((name) => [name, realm[name]])) as Pick<RealmSettings, M>;
}

/** A field of each name, all edited in the same way. */
export function fieldsOf<V>(
  kind: 'check' | 'text' | 'number' | 'duration' | 'secret',
  ...names: readonly (keyof V & string)[]
): SettingField<V>[] {
  return names.map((name) => ({ kind, name }));
}
