/** Keycloak's keys of a step's configuration: what `amr` says of it, and for how many seconds single sign-on may, 0 without. */
const REFERENCE = 'default.reference.value';
const MAX_AGE = 'default.reference.maxAge';
/** Of a user session, as JSON. */
const KEPT = 'keyhost.references';
/** Of a client session: the references of its login. */
const TOLD = 'keyhost.amr';

/** By name the second until which single sign-on may tell of it. */
export type References = Readonly<Record<string, number>>;
type Notes = Readonly<Record<string, string>>;

/** The reference of a step that succeeded, where it has one. @param now seconds since the epoch */
export function stepReference({ [REFERENCE]: reference, [MAX_AGE]: maxAge }: Notes, now: number): References {
  if (!reference) return {};
  const age = Number(maxAge ?? 0);
  return { [reference]: now + (Number.isFinite(age) ? age : 0) };
}

/**
 * The notes of a login's two sessions: its own references, and those that the browser's session brings along while they
 * are good.
 */
export function referenceNotes(own: References, before?: Notes, now = 0): { session: Notes; client: Notes } {
  const kept = JSON.parse(before?.[KEPT] ?? '{}') as References;
  const all = { ...Object.fromEntries(Object.entries(kept).filter(([, until]) => until >= now)), ...own };
  const names = Object.keys(all);
  return {
    session: names.length === 0 && before?.[KEPT] === undefined ? {} : { [KEPT]: JSON.stringify(all) },
    client: names.length === 0 ? {} : { [TOLD]: JSON.stringify(names) },
  };
}

/** `amr`, by the notes of a client session (RFC 8176). */
export function referencesOf(notes: Notes | undefined): readonly string[] {
  const told = notes?.[TOLD];
  return told === undefined ? NONE : (JSON.parse(told) as string[]);
}

const NONE: readonly string[] = Object.freeze([]);
