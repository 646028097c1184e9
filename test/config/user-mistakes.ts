import type { Mistake } from './mistake.js';

/** Members of a realm: its users and their passwords. */
export const USER_MISTAKES: readonly Mistake[] = [
  {
    mistake: 'an account at an identity provider that two users have',
    text: '"users": [{ "username": "a", "federatedIdentities": [{ "identityProvider": "p", "userId": "7" }] }, { "username": "b", "federatedIdentities": [{ "identityProvider": "p", ▶"userId": "7" }] }]',
    message: 'users[1].federatedIdentities[0].userId: the account p 7 is linked to two users',
  },
  {
    mistake: 'a service account that does not say whose it is',
    text: '"clients": [{ "clientId": "w", "serviceAccountsEnabled": true }],\n  "users": [{ ▶"username": "service-account-w" }]',
    message: 'users[0].username: is the name of a service account: "serviceAccountClientId" is required',
  },
  {
    mistake: 'a user twice, in other letters',
    text: '"users": [{ "username": "ann" }, { ▶"username": "Ann" }]',
    message: 'users[1].username: the username "ann" is used twice',
    together: true,
  },
  {
    mistake: 'a user’s id twice',
    text: '"users": [{ "username": "ann", "id": "1" }, { "username": "bob", ▶"id": "1" }]',
    message: 'users[1].id: the user id "1" is used twice',
  },
  {
    mistake: 'an e-mail address twice',
    text: '"users": [{ "username": "a", "email": "a@b.test" }, { "username": "b", ▶"email": "A@b.test" }]',
    message: 'users[1].email: the email address "a@b.test" is used twice',
  },
  {
    mistake: 'a user’s group that there is not',
    text: '"groups": [{ "name": "team" }],\n  "users": [{ "username": "ann", "groups": [▶"/teams"] }]',
    message: 'users[0].groups[0]: there is no group "/teams" (did you mean "/team"?)',
  },
  {
    mistake: 'a misspelt key of a user',
    text: '"users": [{ "username": "ann", ▶"emailVerfied": true }]',
    message: 'users[0].emailVerfied: unknown key (did you mean "emailVerified"?)',
  },
  {
    mistake: 'a service account of a client that there is not',
    text: '"users": [{ "username": "s", ▶"serviceAccountClientId": "worker" }]',
    message: 'users[0].serviceAccountClientId: there is no client "worker"',
  },
  {
    mistake: 'a second service account of a client',
    text: '"clients": [{ "clientId": "w" }],\n  "users": [{ "username": "s", "serviceAccountClientId": "w" }, { "username": "t", ▶"serviceAccountClientId": "w" }]',
    message: 'users[1].serviceAccountClientId: the service account of "w" is used twice',
  },
  {
    mistake: 'an attribute of a user that is no list',
    text: '"users": [{ "username": "ann", "attributes": { ▶"1": {} } }]',
    message: 'users[0].attributes["1"]: must be an array',
  },
  {
    mistake: 'a password without a value',
    text: '"users": [{ "username": "ann", "credentials": [▶{ "type": "password" }] }]',
    message: 'users[0].credentials[0]: a password needs "value", or "secretData" and "credentialData"',
  },
  {
    mistake: 'a password that is too long',
    text: `"users": [{ "username": "ann", "credentials": [▶{ "type": "password", "value": "${'x'.repeat(4097)}" }] }]`,
    message: 'users[0].credentials[0]: a password has at most 4096 characters',
  },
  {
    mistake: 'a stored password whose data is no JSON',
    text: '"users": [{ "username": "ann", "credentials": [▶{ "type": "password", "secretData": "{value", "credentialData": "{}" }] }]',
    message: 'users[0].credentials[0]: this password cannot be used: its secretData does not hold JSON',
  },
  {
    mistake: 'a stored password of another algorithm',
    text: '"users": [{ "username": "ann", "credentials": [▶{ "type": "password", "secretData": "{\\"value\\":\\"AAAAAAAAAAAAAAAAAAAAAA==\\",\\"salt\\":\\"AAAA\\"}", "credentialData": "{\\"algorithm\\":\\"bcrypt\\"}" }] }]',
    message:
      'users[0].credentials[0]: this password cannot be used: its algorithm "bcrypt" is none of argon2, pbkdf2, pbkdf2-sha256, pbkdf2-sha512',
  },
];
