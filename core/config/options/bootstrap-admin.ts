import type { OptionReader } from './option-reader.js';
import { environmentVariable } from './option-table.js';

const [USERNAME, PASSWORD, FILE] = [
  'bootstrap-admin-username',
  'bootstrap-admin-password',
  'bootstrap-admin-password-file',
] as const;

/** Reads the username, and the password or password file, of the first admin of the realm master. */
export function readBootstrapAdmin({ text, complain }: OptionReader) {
  const username = text(USERNAME);
  const password = text(PASSWORD);
  const file = text(FILE);
  if (password !== undefined && file !== undefined)
    complain(FILE, `cannot be combined with --${PASSWORD} (${environmentVariable(PASSWORD)})`);
  if (username === undefined) {
    for (const [flag, value] of [
      [PASSWORD, password],
      [FILE, file],
    ] as const)
      if (value !== undefined) complain(flag, `requires --${USERNAME} (${environmentVariable(USERNAME)})`);
  } else if (password === undefined && file === undefined) {
    complain(
      USERNAME,
      `requires --${PASSWORD} (${environmentVariable(PASSWORD)}) or --${FILE} (${environmentVariable(FILE)})`,
    );
  }
  return { bootstrapAdminUsername: username, bootstrapAdminPassword: password, bootstrapAdminPasswordFile: file };
}
