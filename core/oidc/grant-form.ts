import type { Form } from '../http/form.js';

/** Parameters that a grant does not get. They are for the token endpoint only. */
const ENDPOINT_PARAMETERS = new Set([
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'grant_type',
  'client_id',
]);
const NOTHING_REPEATED = Object.freeze({});

/**
 * The parameters for the grant: never the client's credentials. An empty `subject_token` is included, because its
 * presence matters.
 * @param options.repeatable names of parameters that may be repeated
 * @param options.proofs names of parameters that proved the client's identity to a plugin
 */
export function grantForm(
  form: Form,
  {
    repeatable,
    proofs = [],
  }: { readonly repeatable?: readonly string[] | undefined; readonly proofs?: readonly string[] | undefined },
): { readonly form: Record<string, string>; readonly repeated: Readonly<Record<string, readonly string[]>> } {
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of form.entries()) {
    if (ENDPOINT_PARAMETERS.has(name) || proofs.includes(name)) continue;
    if (value !== '' || name === 'subject_token') values[name] = value;
  }
  if (repeatable === undefined) return { form: values, repeated: NOTHING_REPEATED };
  const repeatableValues = repeatable
    .filter((name) => !proofs.includes(name))
    .map((name) => [name, form.all(name)] as const);
  return {
    form: values,
    repeated: Object.fromEntries(repeatableValues.filter(([, parameterValues]) => parameterValues.length > 0)),
  };
}
