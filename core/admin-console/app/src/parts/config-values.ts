import type { ConfigProperty } from '../api/server-info.ts';

/** Separates the values of a setting with several, in the host's form. */
export const VALUE_SEPARATOR = '##';

/** A setting whose options may have labels. */
export interface ShownProperty extends ConfigProperty {
  readonly optionLabels?: Readonly<Record<string, string>>;
}

/** Settings by name, each a text. */
export type Config = Readonly<Record<string, string>>;

/** The initial values of a new object. */
export function defaultsOf(properties: readonly ConfigProperty[]): Config {
  return Object.fromEntries(
    properties.flatMap(({ name, defaultValue }) => (defaultValue === undefined ? [] : [[name, String(defaultValue)]])),
  );
}

/** The settings for a request: empty ones are left out, and so are empty lines of those with several values. */
export function configRequest(properties: readonly ConfigProperty[], value: Config): Config {
  const severalValues = new Set(properties.filter(({ type }) => type === 'MultivaluedString').map(({ name }) => name));
  const withoutEmptyLines = (name: string, text: string) =>
    severalValues.has(name)
      ? text
          .split(VALUE_SEPARATOR)
          .map((one) => one.trim())
          .filter((one) => one !== '')
          .join(VALUE_SEPARATOR)
      : text;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, text]) => [name, withoutEmptyLines(name, text)] as const)
      .filter(([, text]) => text !== ''),
  );
}
