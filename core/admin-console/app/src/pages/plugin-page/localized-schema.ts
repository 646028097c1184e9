import { type FormBlock, textIn } from '../../api/plugin-pages.ts';
import type { JsonSchema } from '../../api/providers.ts';

type Writable = Record<string, unknown>;

/** The schema of a form with the texts of its fields in one language. */
export function localizedSchema({ schema, fields = {} }: FormBlock, language: string): JsonSchema {
  const copy = structuredClone(schema) as Writable;
  for (const [pointer, { title, help }] of Object.entries(fields)) {
    const field = schemaAt(copy, pointer);
    if (field === undefined) continue;
    if (title !== undefined) field.title = textIn(title, language);
    if (help !== undefined) field.description = textIn(help, language);
  }
  return copy;
}

/** The schema of the value at a JSON pointer; for a position in a list, that of its items. */
function schemaAt(schema: Writable, pointer: string): Writable | undefined {
  let at: unknown = schema;
  for (const name of pointer.split('/').slice(1)) {
    const { properties = {}, items } = at as { properties?: Writable; items?: unknown };
    const member = name.replaceAll('~1', '/').replaceAll('~0', '~');
    at = Object.hasOwn(properties, member) ? properties[member] : items;
    if (typeof at !== 'object' || at === null) return undefined;
  }
  return at as Writable;
}
