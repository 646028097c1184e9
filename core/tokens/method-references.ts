/**
 * Keycloak's keys in a step's configuration: its `amr` value, and for how many seconds single sign-on may repeat it
 * (default 0).
 */
const REFERENCE = 'default.reference.value';
const MAX_AGE = 'default.reference.maxAge';
/** Note of a user session, as JSON. */
const SESSION_NOTE = 'keyhost.references';
/** Note of a client session: the references of its login. */
const CLIENT_NOTE = 'keyhost.amr';

/** The time until which single sign-on may repeat each reference, in seconds since the epoch. */
export type References = Readonly<Record<string, number>>;
type Notes = Readonly<Record<string, string>>;

/** The reference of a step that succeeded, if it is configured. @param now seconds since the epoch */
export function stepReference({ [REFERENCE]: reference, [MAX_AGE]: maxAge }: Notes, now: number): References {
  if (!reference) return {};
  const age = Number(maxAge ?? 0);
  return { [reference]: now + (Number.isFinite(age) ? age : 0) };
}

/**
 * The notes for the user session and the client session of a login: its own references, and those of the browser's
 * session that have not expired.
 */
export function referenceNotes(own: References, before?: Notes, now = 0): { session: Notes; client: Notes } {
  const kept = JSON.parse(before?.[SESSION_NOTE] ?? '{}') as References;
  const all = { ...Object.fromEntries(Object.entries(kept).filter(([, until]) => until >= now)), ...own };
  const names = Object.keys(all);
  return {
    session: names.length === 0 && before?.[SESSION_NOTE] === undefined ? {} : { [SESSION_NOTE]: JSON.stringify(all) },
    client: names.length === 0 ? {} : { [CLIENT_NOTE]: JSON.stringify(names) },
  };
}

/** `amr` (RFC 8176), from the notes of a client session. */
export function referencesOf(notes: Notes | undefined): readonly string[] {
  const told = notes?.[CLIENT_NOTE];
  return told === undefined ? NONE : (JSON.parse(told) as string[]);
}

const NONE: readonly string[] = Object.freeze([]);
