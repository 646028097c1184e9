import type { Mistake } from './mistake.js';

/** Files that are not JSON: the mistake, the text with ▶ at its position, and the message. */
const NOT_JSON: readonly (readonly [mistake: string, text: string, message: string])[] = [
  ['nothing in it', '▶', 'the file is empty'],
  ['blanks alone', '▶ \n\n', 'the file is empty'],
  ['its end cut off', '{\n  "realm": "x",\n  "clients": [▶', 'unexpected end of the file'],
  ['a text cut off', '{\n  "realm": ▶"x', 'the closing double quote is missing'],
  ['something after its end', '{ "realm": "x" }\n▶{}', 'unexpected text after the end'],
  ['a comma too many', '{\n  "realm": "x",\n▶}', 'remove the comma before "}"'],
  ['a comma too few', '{\n  "realm": "x"\n  ▶"enabled": true\n}', 'expected ","'],
  ['single quotes', "{ ▶'realm': 'x' }", 'expected a key in double quotes'],
  ['a bare word as a value', '{ "realm": ▶x }', 'expected a string in double quotes, a number, true, false or null'],
  ['a colon too few', '{ "realm" ▶"x", }', 'expected ":"'],
  ['a comment', '{\n  ▶// the realm\n  "realm": "x"\n}', 'comments are not allowed'],
  ['a bad escape', '{ "realm": ▶"\\x" }', 'invalid escape: write "\\\\" for a backslash'],
];

/** Whole files. */
export const TEXT_MISTAKES: readonly Mistake[] = [
  ...NOT_JSON.map(([mistake, text, message]) => ({ mistake, text, message: `: not JSON: ${message}` })),
  { mistake: 'an empty list of realms', text: '▶[]', message: ': the list contains no realm' },
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
    message: '[0].enabled: the key "enabled" is used twice',
  },
  { mistake: 'null instead of a realm', text: '▶null', message: ': must be an object' },
  { mistake: 'no name', text: '▶{ "enabled": true }', message: ': "realm" is missing' },
  {
    mistake: 'a slash in its name',
    text: '{ ▶"realm": "a/b" }',
    message: 'realm: must be 1 to 64 of the characters A-Z a-z 0-9 . _ -, but not "." or ".."',
  },
  {
    mistake: 'a key given twice',
    text: '{ "realm": "x",\n "clients": [{ "clientId": "a", ▶"clientId": "b" }] }',
    message: 'clients[0].clientId: the key "clientId" is used twice',
  },
  {
    mistake: 'a key that reaches the prototype',
    text: '{ "realm": "x",\n "attributes": { ▶"__proto__": "y" } }',
    message: 'attributes.__proto__: the key "__proto__" is not allowed',
  },
];
