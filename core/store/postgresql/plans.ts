import type { OperationArguments, OperationName } from '../records/operations.js';

/** How an operation runs if it is not an ordinary transaction of its own. */
export interface Plan {
  /** It goes through whole tables of a realm. */
  readonly isLong?: true;
  /**
   * The key of an operation that is sent together with others. It nearly always consists of one statement or one list
   * of statements; if not, its first statement has changed nothing. The key names what it writes, so that all groups
   * write in one order; undefined: it is sent alone.
   */
  readonly together?: (...parameters: never) => string | undefined;
}

const entry = ({ realm, namespace, key }: { realm: string; namespace: string; key: string }) =>
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
  'entries.put': { together: entry },
  'entries.claim': { together: entry },
  'entries.delete': { together: entry },
  'entries.replace': { together: (change) => (change.expected === undefined ? undefined : entry(change)) },
  'families.rotate': { together: ({ realm, family }) => `families ${realm} ${family}` },
  'sessions.start': { together: ({ realm, id }) => `sessions ${realm} ${id}` },
  'events.append': { together: ([first]) => `events ${first?.realm} ${first?.id}` },

  'realms.put': { isLong: true },
  'realms.remove': { isLong: true },
};

const ORDINARY: Plan = {};

export function planOf(name: OperationName): Plan {
  return PLANS[name] ?? ORDINARY;
}
