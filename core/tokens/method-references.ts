/**
 * Keycloak's keys in the configuration of an authenticator: its `amr` value, and for how many seconds single sign-on
 * may repeat it (default 0).
 */
const REFERENCE_KEY = 'default.reference.value';
const MAX_AGE_KEY = 'default.reference.maxAge';
/** User session note with the references, as JSON. */
const SESSION_NOTE = 'keyhost.references';
/** Client session note with the names of its login's references, as a JSON list. */
const CLIENT_NOTE = 'keyhost.amr';

/** By reference, the time until which single sign-on may repeat it, in seconds since the epoch. */
export type References = Readonly<Record<string, number>>;
type Notes = Readonly<Record<string, string>>;

/**
 * The reference of an authenticator that succeeded; empty if none is configured.
 * @param now seconds since the epoch
 */
export function stepReference({ [REFERENCE_KEY]: reference, [MAX_AGE_KEY]: maxAge }: Notes, now: number): References {
  if (!reference) return {};
  const age = Number(maxAge ?? 0);
  return { [reference]: now + (Number.isFinite(age) ? age : 0) };
}

/**
 * The notes for the user session and the client session of a login. They contain its own references, and those of the
 * existing session that have not expired.
 */
export function referenceNotes(
  newReferences: References,
  previousNotes?: Notes,
  now = 0,
): { session: Notes; client: Notes } {
  const stored = JSON.parse(previousNotes?.[SESSION_NOTE] ?? '{}') as References;
  const references = {
    ...Object.fromEntries(Object.entries(stored).filter(([, until]) => until >= now)),
    ...newReferences,
  };
  const names = Object.keys(references);
  return {
    session:
      names.length === 0 && previousNotes?.[SESSION_NOTE] === undefined
        ? {}
        : { [SESSION_NOTE]: JSON.stringify(references) },
    client: names.length === 0 ? {} : { [CLIENT_NOTE]: JSON.stringify(names) },
  };
}

/** The `amr` claim (RFC 8176), from the notes of a client session. */
export function referencesOf(notes: Notes | undefined): readonly string[] {
  const note = notes?.[CLIENT_NOTE];
  return note === undefined ? NO_REFERENCES : (JSON.parse(note) as string[]);
}

const NO_REFERENCES: readonly string[] = Object.freeze([]);
