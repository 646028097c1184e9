import type { Form } from '../http/form.js';

/** What is the token endpoint's business. */
const CREDENTIALS = new Set(['client_secret', 'client_assertion', 'client_assertion_type', 'grant_type', 'client_id']);
const NOTHING_REPEATED = Object.freeze({});

/**
 * The parameters that are the grant's business: never the client's credentials. An empty `subject_token` stays, since its
 * presence decides.
 * @param options.repeatable names of those that may be there more than once
 * @param options.proofs names of those by which the client has proven to a plugin who it is
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
    if (CREDENTIALS.has(name) || proofs.includes(name)) continue;
    if (value !== '' || name === 'subject_token') values[name] = value;
  }
  if (repeatable === undefined) return { form: values, repeated: NOTHING_REPEATED };
  const all = repeatable.filter((name) => !proofs.includes(name)).map((name) => [name, form.all(name)] as const);
  return { form: values, repeated: Object.fromEntries(all.filter(([, given]) => given.length > 0)) };
}
