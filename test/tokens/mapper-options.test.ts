import test from 'ava';
import { answersHere, mapperCases, ordered } from '../helpers/mapper-answers.js';
import { shareHost } from '../helpers/shared-host.js';

/** The cases by the first word of their names: every option of Keycloak's 22 mappers that this host has. */
const GROUPS = {
  value: 'a text is read as the type of the claim as Java reads it',
  claim: 'claim names nest at dots, and a backslash takes a character literally',
  protected: 'claims that the protocol says, and those that others have a type for',
  attribute: 'attributes are the user’s own, else those of the nearest group, and with aggregate.attrs all of them',
  as: 'properties that are attributes, too',
  property: 'properties of users are texts, which become what the type says',
  where: 'each mapper adds where its flags say, and where Keycloak’s does without them',
  light: 'lightweight access tokens say what lightweight.claim adds, introspection the rest, and userinfo nothing',
  client: 'client roles as lists and as one text, by client, with prefix and type',
  realm: 'realm roles as lists and as one text, with prefix and type',
  groups: 'groups by path or by name',
  bare: 'a user who has nothing to tell of',
  address: 'the parts of an address',
  audience: 'audiences of access and ID tokens',
  origins: 'allowed origins',
  note: 'notes of user sessions',
  rename: 'roles by other names',
  hardcoded: 'roles that nobody needs to hold',
  claims: 'what the claims parameter asks for',
  response: 'members of the token endpoint’s answer',
} as const;

/** Why this host answers otherwise than Keycloak 26.7.3, by the word that a case has for it. */
const WHY: Readonly<Record<string, string>> = {
  crash: 'Keycloak answers 500, where an option is missing or two claims do not fit into each other',
  digits: 'integers are of ASCII digits',
  disabled: 'no token is for a disabled client: an API that still runs must not accept it',
  dotted: 'a realm role may have a dot in its name; Keycloak always reads a client before it',
  infinite: 'JSON has no number that is infinite, and a text is another value; the log names the claim',
  java: 'what Java has of its objects is not a property of a user',
  joined: 'lists of one name are joined, whichever mappers they are of',
  'not its option': 'groups are texts, and the mapper declares no type',
  null: 'a claim that is null is left out (OpenID Connect Core §5.3.2)',
  protocol: 'mappers do not say what the protocol says',
  prototype: 'names of prototypes would harm readers in JavaScript',
  response: 'the answer is not an error',
  rest: 'a text with more after its JSON is not JSON',
  'text roles': 'Keycloak writes roles that are a text as {}',
  time: 'a login by the password grant has a time, too',
  wanted: 'claims that are asked for by name are given with the mapper or without it (OpenID Connect Core §5.5)',
};

const { realm, cases } = await mapperCases();
const host = shareHost(test, { realms: [realm] });
const numbered = cases.map((one, index) => ({ ...one, index, group: one.name.split(' ', 1)[0] ?? '' }));

for (const [group, title] of Object.entries(GROUPS)) {
  test(`options of mappers: ${title}`, async (t) => {
    const own = numbered.filter((one) => one.group === group);
    t.true(own.length > 0);
    for (const { index, ...one } of own) {
      const expected = one.here ?? one.says;
      t.deepEqual(ordered(await answersHere(host(), one, index)), ordered(expected), one.name);
    }
  });
}

test('options of mappers: several mappers set one claim, or parts of one', async (t) => {
  const rest = numbered.filter(({ group }) => !Object.hasOwn(GROUPS, group));
  for (const { index, ...one } of rest) {
    t.deepEqual(ordered(await answersHere(host(), one, index)), ordered(one.here ?? one.says), one.name);
  }
});

test('options of mappers: each difference to Keycloak has a reason', (t) => {
  for (const { name, says, here, why } of cases) {
    t.is(here === undefined, why === undefined, name);
    if (here === undefined) continue;
    t.true(Object.hasOwn(WHY, why ?? ''), name);
    t.notDeepEqual(ordered(here), ordered(says), name);
  }
});

test('options of mappers: the log names a claim that tokens go without, once for its mapper', async (t) => {
  const index = cases.findIndex(({ name }) => name === 'value int "1e3"');
  const one = cases[index];
  if (one === undefined) return t.fail();
  await answersHere(host(), one, index);
  await answersHere(host(), one, index);
  const lines = host().log.filter(({ fields }) => (fields as { clientId?: string }).clientId === `c${index}`);
  const told = lines.filter(({ level }) => level === 'warn');
  t.deepEqual(
    told.map(({ message }) => message),
    ['realm mappers: tokens go without the claim c: the value is no int'],
  );
});
