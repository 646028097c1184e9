import type { Mistake } from './mistake.js';

/** Whole files. */
export const TEXT_MISTAKES: readonly Mistake[] = [
  { mistake: 'nothing in it', text: '▶', message: ': not JSON: the file is empty' },
  { mistake: 'blanks alone', text: '▶ \n\n', message: ': not JSON: the file is empty' },
  {
    mistake: 'its end cut off',
    text: '{\n  "realm": "x",\n  "clients": [▶',
    message: ': not JSON: the file ends too early',
  },
  { mistake: 'a text cut off', text: '{\n  "realm": ▶"x', message: ': not JSON: the closing double quote is missing' },
  {
    mistake: 'something after its end',
    text: '{ "realm": "x" }\n▶{}',
    message: ': not JSON: something follows the end',
  },
  { mistake: 'a comma too many', text: '{\n  "realm": "x",\n▶}', message: ': not JSON: there is a comma before "}"' },
  {
    mistake: 'a comma too few',
    text: '{\n  "realm": "x"\n  ▶"enabled": true\n}',
    message: ': not JSON: "," is expected',
  },
  { mistake: 'single quotes', text: "{ ▶'realm': 'x' }", message: ': not JSON: a key in double quotes is expected' },
  {
    mistake: 'a bare word as a value',
    text: '{ "realm": ▶x }',
    message: ': not JSON: a text in double quotes, a number, true, false or null is expected',
  },
  { mistake: 'a colon too few', text: '{ "realm" ▶"x", }', message: ': not JSON: ":" is expected' },
  { mistake: 'a comment', text: '{\n  ▶// the realm\n  "realm": "x"\n}', message: ': not JSON: it has no comments' },
  {
    mistake: 'a bad escape',
    text: '{ "realm": ▶"\\x" }',
    message: ': not JSON: this "\\" escapes nothing: write "\\\\"',
  },
  { mistake: 'a list instead of a realm', text: '▶[]', message: ': must be an object' },
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
