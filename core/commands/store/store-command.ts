import { explained, misused } from '../command-line.js';
import { storeCopyCommand } from './store-copy-command.js';
import { storeMigrateCommand } from './store-migrate-command.js';

const HELP = `keyhost store: the store itself

  keyhost store copy --from PLACE --to PLACE
      Copies a whole store to another place, from SQLite to PostgreSQL or back; keyhost store copy --help

  keyhost store migrate [--plan]
      Brings its tables up to date, or tells what that would do; keyhost store migrate --help
`;

/** `keyhost store copy|migrate`. Sets the exit code. @throws BootError */
export async function storeCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const [action, ...rest] = argv;
  if (action === 'copy') return storeCopyCommand(rest, env);
  if (action === 'migrate') return storeMigrateCommand(rest, env);
  if (explained(argv, HELP)) return;
  misused(`there is no command "store ${action}"`, 'it is copy or migrate: keyhost store --help');
}
