import type { OptionReader } from './option-reader.js';
import { variable } from './option-table.js';

const [USERNAME, PASSWORD, FILE] = [
  'bootstrap-admin-username',
  'bootstrap-admin-password',
  'bootstrap-admin-password-file',
] as const;

/** The first admin of the realm master: username, and password or password file. */
export function bootstrapAdminOptions({ text, complain }: OptionReader) {
  const username = text(USERNAME);
  const password = text(PASSWORD);
  const file = text(FILE);
  if (password !== undefined && file !== undefined)
    complain(FILE, `cannot be combined with --${PASSWORD} (${variable(PASSWORD)})`);
  if (username === undefined) {
    for (const [flag, value] of [
      [PASSWORD, password],
      [FILE, file],
    ] as const)
      if (value !== undefined) complain(flag, `requires --${USERNAME} (${variable(USERNAME)})`);
  } else if (password === undefined && file === undefined) {
    complain(USERNAME, `requires --${PASSWORD} (${variable(PASSWORD)}) or --${FILE} (${variable(FILE)})`);
  }
  return { bootstrapAdminUsername: username, bootstrapAdminPassword: password, bootstrapAdminPasswordFile: file };
}
