import type { OperationArguments, OperationName } from '../records/operations.js';

/** How an operation is carried out, where a READ COMMITTED transaction of its own is not enough or too much. */
export interface Plan {
  /**
   * SERIALIZABLE: it decides by rows that are not there, or by a set of them, which nothing can lock. Among these alone the
   * server finds out that two cannot have come one after the other, and rolls one of them back.
   */
  readonly isSerializable?: true;
  /** It goes through whole tables of a realm. */
  readonly isLong?: true;
  /**
   * It goes to the server together with others: nearly always one statement, or one list of them, is all of it; and when that
   * is not so, that statement has changed nothing. Names what it writes, so that all groups write in one order.
   */
  readonly together?: (...parameters: never) => string;
}

type Plans = {
  readonly [Name in OperationName]?: Plan & {
    readonly together?: (...parameters: OperationArguments<Name>) => string;
  };
};

const PLANS: Plans = {
  'tickets.issue': { together: ({ realm, kind, keyHash }) => `tickets ${realm} ${kind} ${keyHash}` },
  'tickets.redeem': { together: ({ realm, kind, keyHash }) => `tickets ${realm} ${kind} ${keyHash}` },
  'marks.claim': { together: ({ realm, kind, keyHash }) => `marks ${realm} ${kind} ${keyHash}` },
  'counters.bump': { together: ({ realm, subject }) => `counters ${realm} ${subject}` },
  'families.rotate': { together: ({ realm, family }) => `families ${realm} ${family}` },
  'sessions.start': { together: ({ realm, id }) => `sessions ${realm} ${id}` },
  'events.append': { together: ([first]) => `events ${first?.realm} ${first?.id}` },

  // Unique names and addresses that no index of the table says; a service account, an account at an identity provider.
  'users.put': { isSerializable: true },
  'realms.put': { isSerializable: true, isLong: true },
  'realms.remove': { isLong: true },
  // Whether there is an active key.
  'keys.addFirst': { isSerializable: true },
  'keys.rotate': { isSerializable: true },
};

const ORDINARY: Plan = {};

export function planOf(name: OperationName): Plan {
  return PLANS[name] ?? ORDINARY;
}
