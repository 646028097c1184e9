/**
 * The lock that a statement takes on a shared server until its migration ends: which access of other nodes it blocks.
 */
export type LockLevel = 'nothing' | 'writes' | 'everything';

/** One statement of a migration. */
export interface MigrationStep {
  /** Its beginning, for people. */
  readonly summary: string;
  /** Undefined if the statement's table is unknown. */
  readonly table: string | undefined;
  readonly locks: LockLevel;
  /** How the statement treats each existing row of the table: nothing, reads it for an index, or writes it. */
  readonly perRow: 'nothing' | 'reads' | 'writes';
  /** The reason why nodes of the previous version could not run at the same time; undefined if they can. */
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
/** The statements of a trigger, or of a function in `$$`, which are part of it. */
const TRIGGER_BODY = /\bBEGIN\s[\s\S]*?;\s*END(?=\s*(?:;|\$\$))/gi;
const ANY_TABLE = new RegExp(`(?:TABLE|INTO|FROM|ON|UPDATE) (?:IF EXISTS )?(?:ONLY )?${NAME}`, 'i');
/** A default that no row has to be written for. */
const CONSTANT = /\bDEFAULT (?:'(?:[^']|'')*'|-?\d+|TRUE|FALSE)(?: |$)/i;
const TOLD_CHARACTERS = 80;

/** The statements of a migration, in order. It has no semicolon but at the end of them, and in triggers. */
export function statementsOf(sql: string): string[] {
  return sql
    .replace(/--.*$/gm, '')
    .replace(TRIGGER_BODY, (body) => body.replaceAll(';', '\0'))
    .split(';')
    .map((statement) => statement.replaceAll('\0', ';').trim())
    .filter((statement) => statement !== '');
}

/** The effects of a migration's statements on tables, and on nodes that serve requests during the migration. */
export function stepsOf(sql: string): readonly MigrationStep[] {
  const made = new Set<string>();
  const added = new Set<string>();
  return statementsOf(sql).map((statement) => stepOf(statement.replace(/\s+/g, ' '), made, added));
}

/** @param made, added tables and columns (`table.column`) that this migration itself creates: no node uses them */
function stepOf(text: string, made: Set<string>, added: Set<string>): MigrationStep {
  const told = text.length > TOLD_CHARACTERS ? `${text.slice(0, TOLD_CHARACTERS - 1)}…` : text;
  const step = (table: string | undefined, rest: Partial<MigrationStep> = {}): MigrationStep => ({
    summary: told,
    table,
    locks: 'nothing',
    perRow: 'nothing',
    incompatibility: undefined,
    ...rest,
  });
  const table = CREATE_TABLE.exec(text)?.[1];
  if (table !== undefined) {
    made.add(table);
    return step(table);
  }
  const [, unique, indexed] = CREATE_INDEX.exec(text) ?? [];
  if (indexed !== undefined) {
    if (made.has(indexed)) return step(indexed);
    const objection = unique && 'a unique index refuses what nodes of the version before may write';
    return step(indexed, { locks: 'writes', perRow: 'reads', incompatibility: objection || undefined });
  }
  const [, widened, column, definition = ''] = ADD_COLUMN.exec(text) ?? [];
  if (widened !== undefined) {
    added.add(`${widened}.${column}`);
    return step(widened, made.has(widened) ? {} : { locks: 'everything', incompatibility: objectionTo(definition) });
  }
  // The trigger's body is the statement's effect; a trigger that refuses writes has an objection.
  const watched = CREATE_TRIGGER.exec(text)?.[1];
  if (watched !== undefined) {
    const objection = /\bRAISE\b/i.test(text) ? 'it refuses what nodes of the version before may write' : undefined;
    return step(watched, { locks: 'writes', incompatibility: objection });
  }
  if (CREATE_FUNCTION.test(text)) return step(undefined);
  const set = SETTINGS.exec(text)?.[1];
  if (set !== undefined) return step(set);
  const filled = INSERT.exec(text)?.[1];
  if (filled !== undefined) {
    return step(
      filled,
      made.has(filled) ? {} : { incompatibility: 'it writes rows that nodes of the version before read' },
    );
  }
  const [, changed, assignments = ''] = UPDATE.exec(text) ?? [];
  if (changed !== undefined) return step(changed, updating(changed, assignments, made, added));
  const objection = 'only additions are allowed: CREATE TABLE, CREATE INDEX, ADD COLUMN, and filling new columns';
  return step(ANY_TABLE.exec(text)?.[1], { locks: 'everything', perRow: 'writes', incompatibility: objection });
}

function objectionTo(definition: string): string | undefined {
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

function updating(
  table: string,
  assignments: string,
  made: ReadonlySet<string>,
  added: ReadonlySet<string>,
): Partial<MigrationStep> {
  if (made.has(table)) return {};
  const known = assignedIn(assignments).filter((column) => !added.has(`${table}.${column}`));
  return {
    locks: 'writes',
    perRow: 'writes',
    incompatibility:
      known.length > 0 ? `it changes ${known.join(', ')}, which nodes of the version before read` : undefined,
  };
}

/** The columns that are assigned: those in front of `=` outside of brackets and texts. */
function assignedIn(assignments: string): string[] {
  let flat = assignments.replace(/'(?:[^']|'')*'/g, "''");
  for (let before = ''; before !== flat; ) {
    before = flat;
    flat = flat.replace(/\([^()]*\)/g, '');
  }
  return flat.split(',').map((one) => one.split('=')[0]?.trim().replaceAll('"', '') ?? '');
}
