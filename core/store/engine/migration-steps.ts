/** Which access of other nodes a statement blocks on a shared server until its migration ends. */
export type LockLevel = 'nothing' | 'writes' | 'everything';

/** One statement of a migration. */
export interface MigrationStep {
  /** The beginning of the statement, for display. */
  readonly summary: string;
  /** The table of the statement; undefined if it is unknown. */
  readonly table: string | undefined;
  readonly locks: LockLevel;
  /** How the statement treats each existing row: not at all, reads it for an index, or writes it. */
  readonly perRow: 'nothing' | 'reads' | 'writes';
  /** The reason why nodes with the previous version could not run at the same time; undefined if they can. */
  readonly incompatibility: string | undefined;
}

const NAME = '"?(\\w+)"?';
const CREATE_TABLE = new RegExp(`^CREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?${NAME}`, 'i');
const CREATE_INDEX = new RegExp(`^CREATE (UNIQUE )?INDEX (?:IF NOT EXISTS )?"?\\w+"? ON ${NAME}`, 'i');
const ADD_COLUMN = new RegExp(`^ALTER TABLE ${NAME} ADD (?:COLUMN )?${NAME} (.*)$`, 'i');
const SETTINGS = new RegExp(`^ALTER TABLE ${NAME} (?:RE)?SET ?\\(`, 'i');
const INSERT = new RegExp(`^INSERT (?:OR IGNORE )?INTO ${NAME}`, 'i');
const UPDATE = new RegExp(`^UPDATE ${NAME} SET (.*?)(?: WHERE .*)?$`, 'i');
const CREATE_FUNCTION = /^CREATE OR REPLACE FUNCTION /i;
const CREATE_TRIGGER = new RegExp(`^CREATE TRIGGER .*? ON ${NAME} `, 'i');
/** Matches the statements of a trigger, or of a function in `$$`, which belong to it. */
const TRIGGER_BODY = /\bBEGIN\s[\s\S]*?;\s*END(?=\s*(?:;|\$\$))/gi;
const ANY_TABLE = new RegExp(`(?:TABLE|INTO|FROM|ON|UPDATE) (?:IF EXISTS )?(?:ONLY )?${NAME}`, 'i');
/** Matches a default for which the database does not have to write existing rows. */
const CONSTANT = /\bDEFAULT (?:'(?:[^']|'')*'|-?\d+|TRUE|FALSE)(?: |$)/i;
const MAX_SUMMARY_LENGTH = 80;

/** Splits a migration into its statements. It may contain semicolons only at the end of statements and in triggers. */
export function statementsOf(sql: string): string[] {
  return sql
    .replace(/--.*$/gm, '')
    .replace(TRIGGER_BODY, (body) => body.replaceAll(';', '\0'))
    .split(';')
    .map((statement) => statement.replaceAll('\0', ';').trim())
    .filter((statement) => statement !== '');
}

/** Returns the effects of a migration's statements on tables, and on nodes that serve requests during the migration. */
export function stepsOf(sql: string): readonly MigrationStep[] {
  const createdTables = new Set<string>();
  const addedColumns = new Set<string>();
  return statementsOf(sql).map((statement) => stepOf(statement.replace(/\s+/g, ' '), createdTables, addedColumns));
}

/**
 * @param createdTables, addedColumns tables and columns (`table.column`) that this migration itself creates. No node
 * uses them yet
 */
function stepOf(text: string, createdTables: Set<string>, addedColumns: Set<string>): MigrationStep {
  const summary = text.length > MAX_SUMMARY_LENGTH ? `${text.slice(0, MAX_SUMMARY_LENGTH - 1)}…` : text;
  const step = (table: string | undefined, effects: Partial<MigrationStep> = {}): MigrationStep => ({
    summary: summary,
    table,
    locks: 'nothing',
    perRow: 'nothing',
    incompatibility: undefined,
    ...effects,
  });
  const table = CREATE_TABLE.exec(text)?.[1];
  if (table !== undefined) {
    createdTables.add(table);
    return step(table);
  }
  const [, unique, indexedTable] = CREATE_INDEX.exec(text) ?? [];
  if (indexedTable !== undefined) {
    if (createdTables.has(indexedTable)) return step(indexedTable);
    const incompatibility = unique && 'a unique index refuses what nodes of the version before may write';
    return step(indexedTable, { locks: 'writes', perRow: 'reads', incompatibility: incompatibility || undefined });
  }
  const [, widenedTable, column, definition = ''] = ADD_COLUMN.exec(text) ?? [];
  if (widenedTable !== undefined) {
    addedColumns.add(`${widenedTable}.${column}`);
    return step(
      widenedTable,
      createdTables.has(widenedTable) ? {} : { locks: 'everything', incompatibility: incompatibilityOf(definition) },
    );
  }
  // The statements of the trigger do not run now. If it rejects writes, the migration is incompatible.
  const triggerTable = CREATE_TRIGGER.exec(text)?.[1];
  if (triggerTable !== undefined) {
    const incompatibility = /\bRAISE\b/i.test(text)
      ? 'it refuses what nodes of the version before may write'
      : undefined;
    return step(triggerTable, { locks: 'writes', incompatibility: incompatibility });
  }
  if (CREATE_FUNCTION.test(text)) return step(undefined);
  const alteredTable = SETTINGS.exec(text)?.[1];
  if (alteredTable !== undefined) return step(alteredTable);
  const filledTable = INSERT.exec(text)?.[1];
  if (filledTable !== undefined) {
    return step(
      filledTable,
      createdTables.has(filledTable) ? {} : { incompatibility: 'it writes rows that nodes of the version before read' },
    );
  }
  const [, updatedTable, assignments = ''] = UPDATE.exec(text) ?? [];
  if (updatedTable !== undefined)
    return step(updatedTable, effectsOfUpdate(updatedTable, assignments, createdTables, addedColumns));
  const incompatibility = 'only additions are allowed: CREATE TABLE, CREATE INDEX, ADD COLUMN, and filling new columns';
  return step(ANY_TABLE.exec(text)?.[1], { locks: 'everything', perRow: 'writes', incompatibility: incompatibility });
}

function incompatibilityOf(definition: string): string | undefined {
  if (/,|\b(DROP|RENAME|ALTER)\b/i.test(definition.replace(/'(?:[^']|'')*'/g, "''")))
    return 'it does more than to add a column';
  if (/\b(UNIQUE|CHECK|REFERENCES|PRIMARY KEY|GENERATED)\b/i.test(definition))
    return 'its condition refuses what nodes of the version before may write';
  if (/\bDEFAULT\b/i.test(definition) && !CONSTANT.test(definition))
    return 'its default is not a constant: every row is written';
  if (/\bNOT NULL\b/i.test(definition) && !CONSTANT.test(definition))
    return 'NOT NULL without a default refuses what nodes of the version before write';
  return undefined;
}

function effectsOfUpdate(
  table: string,
  assignments: string,
  createdTables: ReadonlySet<string>,
  addedColumns: ReadonlySet<string>,
): Partial<MigrationStep> {
  if (createdTables.has(table)) return {};
  const existingColumns = assignedColumns(assignments).filter((column) => !addedColumns.has(`${table}.${column}`));
  return {
    locks: 'writes',
    perRow: 'writes',
    incompatibility:
      existingColumns.length > 0
        ? `it changes ${existingColumns.join(', ')}, which nodes of the version before read`
        : undefined,
  };
}

/** Returns the columns that are assigned: those in front of `=`, outside of brackets and texts. */
function assignedColumns(assignments: string): string[] {
  let flattened = assignments.replace(/'(?:[^']|'')*'/g, "''");
  for (let previous = ''; previous !== flattened; ) {
    previous = flattened;
    flattened = flattened.replace(/\([^()]*\)/g, '');
  }
  return flattened.split(',').map((assignment) => assignment.split('=')[0]?.trim().replaceAll('"', '') ?? '');
}
