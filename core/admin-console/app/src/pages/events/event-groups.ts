import { userEventTexts } from './sentences/user-event-texts.ts';

const SIGN_INS = ['LOGIN', 'LOGOUT', 'IDENTITY_PROVIDER_LOGIN', 'IDENTITY_PROVIDER_FIRST_LOGIN', 'IMPERSONATE'];
const ACCOUNTS = [
  'REGISTER',
  'DELETE_ACCOUNT',
  'UPDATE_PROFILE',
  'UPDATE_EMAIL',
  'UPDATE_PASSWORD',
  'UPDATE_CREDENTIAL',
  'UPDATE_TOTP',
  'REMOVE_CREDENTIAL',
  'REMOVE_TOTP',
  'RESET_PASSWORD',
  'VERIFY_EMAIL',
  'FEDERATED_IDENTITY_LINK',
  'REMOVE_FEDERATED_IDENTITY',
];
const EMAILS = ['EXECUTE_ACTIONS', 'SEND_RESET_PASSWORD', 'SEND_VERIFY_EMAIL', 'SEND_IDENTITY_PROVIDER_LINK'];
const TOKENS = ['CODE_TO_TOKEN', 'REFRESH_TOKEN', 'CLIENT_LOGIN', 'TOKEN_EXCHANGE', 'REVOKE_GRANT'];
const LOCKOUTS = ['USER_DISABLED_BY_PERMANENT_LOCKOUT', 'USER_DISABLED_BY_TEMPORARY_LOCKOUT'];

const errorOf = (type: string) => `${type}_ERROR`;
const withErrors = (types: readonly string[]) => [...types, ...types.map(errorOf)];

/** Types of events that answer one question of an admin, by the value of the filter. */
export const EVENT_GROUPS = {
  signIns: withErrors(SIGN_INS),
  failures: [...Object.keys(userEventTexts.types).map(errorOf), ...LOCKOUTS],
  accounts: withErrors(ACCOUNTS),
  emails: withErrors(EMAILS),
  tokens: withErrors(TOKENS),
} as const satisfies Record<string, readonly string[]>;

export type EventGroup = keyof typeof EVENT_GROUPS;

/** The types of a group; undefined if the filter names none. */
export function typesOfGroup(group: string): readonly string[] | undefined {
  return Object.hasOwn(EVENT_GROUPS, group) ? EVENT_GROUPS[group as EventGroup] : undefined;
}
