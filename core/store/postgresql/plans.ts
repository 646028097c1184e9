import type { OperationArguments, OperationName } from '../records/operations.js';

/** How an operation runs, if it is not an ordinary transaction. */
export interface Plan {
  /** True if it reads or writes whole tables of a realm. */
  readonly isLong?: true;
  /**
   * Returns the key of an operation that can be sent together with others. The operation nearly always consists of
   * one statement or one list of statements; if not, its first statement has changed nothing. The key names what the
   * operation writes, so that all groups write in the same order. If it returns undefined, the operation is sent alone.
   */
  readonly together?: (...parameters: never) => string | undefined;
}

const entryKey = ({ realm, namespace, key }: { realm: string; namespace: string; key: string }) =>
  `entries ${realm} ${namespace} ${key}`;

type Plans = {
  readonly [Name in OperationName]?: Plan & {
    readonly together?: (...parameters: OperationArguments<Name>) => string | undefined;
  };
};

const PLANS: Plans = {
  'tickets.issue': { together: ({ realm, kind, keyHash }) => `tickets ${realm} ${kind} ${keyHash}` },
  'tickets.redeem': { together: ({ realm, kind, keyHash }) => `tickets ${realm} ${kind} ${keyHash}` },
  'marks.claim': { together: ({ realm, kind, keyHash }) => `marks ${realm} ${kind} ${keyHash}` },
  'counters.bump': { together: ({ realm, subject }) => `counters ${realm} ${subject}` },
  'counters.clear': { together: ({ realm, subject }) => `counters ${realm} ${subject}` },
  'entries.put': { together: entryKey },
  'entries.claim': { together: entryKey },
  'entries.delete': { together: entryKey },
  'entries.replace': { together: (change) => (change.expected === undefined ? undefined : entryKey(change)) },
  'families.rotate': { together: ({ realm, family }) => `families ${realm} ${family}` },
  'sessions.start': { together: ({ realm, id }) => `sessions ${realm} ${id}` },
  'events.append': { together: ([first]) => `events ${first?.realm} ${first?.id}` },

  'realms.put': { isLong: true },
  'realms.remove': { isLong: true },
};

const ORDINARY_PLAN: Plan = {};

export function planOf(name: OperationName): Plan {
  return PLANS[name] ?? ORDINARY_PLAN;
}
