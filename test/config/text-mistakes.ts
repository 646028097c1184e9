import type { Mistake } from './mistake.js';

/** Files that are no JSON: what is wrong with them, the text with ▶ at the place, and what is said of it. */
const NOT_JSON: readonly (readonly [mistake: string, text: string, message: string])[] = [
  ['nothing in it', '▶', 'the file is empty'],
  ['blanks alone', '▶ \n\n', 'the file is empty'],
  ['its end cut off', '{\n  "realm": "x",\n  "clients": [▶', 'the file ends too early'],
  ['a text cut off', '{\n  "realm": ▶"x', 'the closing double quote is missing'],
  ['something after its end', '{ "realm": "x" }\n▶{}', 'something follows the end'],
  ['a comma too many', '{\n  "realm": "x",\n▶}', 'there is a comma before "}"'],
  ['a comma too few', '{\n  "realm": "x"\n  ▶"enabled": true\n}', '"," is expected'],
  ['single quotes', "{ ▶'realm': 'x' }", 'a key in double quotes is expected'],
  ['a bare word as a value', '{ "realm": ▶x }', 'a text in double quotes, a number, true, false or null is expected'],
  ['a colon too few', '{ "realm" ▶"x", }', '":" is expected'],
  ['a comment', '{\n  ▶// the realm\n  "realm": "x"\n}', 'it has no comments'],
  ['a bad escape', '{ "realm": ▶"\\x" }', 'this "\\" escapes nothing: write "\\\\"'],
];

/** Whole files. */
export const TEXT_MISTAKES: readonly Mistake[] = [
  ...NOT_JSON.map(([mistake, text, message]) => ({ mistake, text, message: `: not JSON: ${message}` })),
  { mistake: 'an empty list of realms', text: '▶[]', message: ': there is no realm in this list' },
  { mistake: 'a list in a list of realms', text: '[▶[]]', message: '[0]: must be an object' },
  { mistake: 'null in a list of realms', text: '[{ "realm": "x" }, ▶null]', message: '[1]: must be an object' },
  {
    mistake: 'a client in a list of realms',
    text: '[{ "realm": "x" }, { "realm": "y", "clients": [{ "clientId": "a", ▶"enabled": "maybe" }] }]',
    message: '[1].clients[0].enabled: must be a boolean',
  },
  {
    mistake: 'a key that stands twice in a realm of a list',
    text: '[{ "realm": "x", "enabled": true, ▶"enabled": true }]',
    message: '[0].enabled: the key "enabled" stands here twice',
  },
  { mistake: 'null instead of a realm', text: '▶null', message: ': must be an object' },
  { mistake: 'no name', text: '▶{ "enabled": true }', message: ': "realm" is missing' },
  {
    mistake: 'a slash in its name',
    text: '{ ▶"realm": "a/b" }',
    message: 'realm: must be 1 to 64 of A-Z a-z 0-9 . _ -, and neither "." nor ".."',
  },
  {
    mistake: 'a key given twice',
    text: '{ "realm": "x",\n "clients": [{ "clientId": "a", ▶"clientId": "b" }] }',
    message: 'clients[0].clientId: the key "clientId" stands here twice',
  },
  {
    mistake: 'a key that reaches the prototype',
    text: '{ "realm": "x",\n "attributes": { ▶"__proto__": "y" } }',
    message: 'attributes.__proto__: the key "__proto__" is not allowed',
  },
];
