/** An unwanted word or phrase, and what to write instead. A space matches any white space. */
type Unwanted = readonly [pattern: string, say: string];

/** Terms that have one spelling. */
const TERMS: readonly Unwanted[] = [
  ['e-[Mm]ails?', 'Write “email”.'],
  ['log(s|ged|ging)?[ -]in(to)?', 'Write “sign in”; “login” is the noun.'],
  ['(please|must|can(not)?|(how|want|have) to) login', 'Write “sign in”; “login” is the noun.'],
  ['log(s|ged|ging)?[ -]o(ut|ff)', 'Write “sign out”; “logout” is the noun.'],
  ['redirect address(es)?', 'Write “redirect URI”.'],
  ['client [Ii]ds?', 'Write “client ID”.'],
];

/** Phrases that read like a translation. */
const PHRASES: readonly Unwanted[] = [
  ['(who|what|which)ever', 'Name the reader or the thing: “you”, “anyone who”, “any value”.'],
  ['of now', 'Write “current”.'],
  ['such an?', 'Name the thing, or write “this”.'],
  ['what follows', 'Say what it is: “the examples”, “the next step”.'],
  ['takes? tokens', 'Write “accepts” or “requires”.'],
  ['keeps? (no )?account', 'Write “tracks” or “saves”.'],
  ['there is no such', 'Write “not found” or “does not exist”.'],
  ['(is|are|was|were) not good', 'Write “is invalid” or “failed”.'],
  ['(is|are|was|were) (told|said)', 'Say who reports it: “Keyhost reports …”.'],
  ['the ones? of', 'Repeat the noun.'],
  ['no more(?= [.,;:]|$)', 'Write “no longer”.'],
  ['for ever', 'Write “permanently”.'],
  ['turn(s|ed|ing)? (it |them )?o(n|ff)', 'Write “enable” or “disable”.'],
  ['switch(es|ed|ing)? (it |them )?o(n|ff)', 'Write “enable” or “disable”.'],
  ['in order to', 'Write “to”.'],
  ['takes? away', 'Write “revoke” or “remove”.'],
  ['gives? back', 'Write “return”.'],
  ['all the same', 'Write “anyway”, or leave it out.'],
];

export const UNWANTED: readonly Unwanted[] = [...TERMS, ...PHRASES];
