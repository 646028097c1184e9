import type { FollowedLink } from '@keyhost/spi';

/** A link that an execution of a login issued. It proves its user to this execution alone. */
export interface StepLink {
  /** The id of the action token. */
  readonly id: string;
  /** The execution that issued it. */
  readonly execution: string;
  /** The name of the plugin that issued it. */
  readonly plugin: string;
  /** The user and the address that it was issued for, once the user has followed it. */
  readonly followed?: FollowedLink;
}

/** Maximum number of links per login that can still be followed. */
const MAX_LINKS = 10;

/** The progress of a user in a flow. */
export interface FlowState {
  /** The result of each execution. */
  readonly done: Map<string, 'success' | 'attempted'>;
  /** Aliases of the sub-flows that succeeded. */
  readonly passedFlows: Set<string>;
  /** The execution whose answer is pending. */
  waitsFor?: string;
  /** State that an authenticator or required action stored with the pending page. */
  kept?: { readonly by: string; readonly state: string };
  /** Links that executions of this login issued, newest last. They are removed when their execution succeeds. */
  stepLinks?: readonly StepLink[];
  /** Alternatives that the user chose, the latest choice first. */
  chosen: readonly string[];
  /** Types of the credentials that authenticators accepted. */
  readonly credentialTypes: Set<string>;
  userId?: string;
  /** The user whose identity this login has proven. */
  proven?: string;
  /** The level of authentication reached; undefined: none yet. */
  level?: number;
  /** When each level was reached, in seconds since the epoch. */
  readonly levels: Record<number, number>;
  /** The `amr` values of the steps that succeeded. */
  readonly references: Record<string, number>;
}

/** The error in events about a flow that found a user but did not prove the user's identity. */
export const UNPROVEN = 'user_not_proven';

/** True if the login has proven the identity of its user. */
export function isProven({ userId, proven }: Pick<FlowState, 'userId' | 'proven'>): boolean {
  return userId !== undefined && proven === userId;
}

/** Returns the state that this authenticator or action stored with its page, and deletes it. */
export function consumeState(flow: Pick<FlowState, 'kept'>, owner: string): string | undefined {
  const { kept } = flow;
  if (kept?.by !== owner) return undefined;
  delete flow.kept;
  return kept.state;
}

/** Stores the state that belongs to the next page. It replaces the state of any other page. */
export function storeState(flow: Pick<FlowState, 'kept'>, owner: string, state: string | undefined): void {
  if (state === undefined) delete flow.kept;
  else flow.kept = { by: owner, state };
}

/** Binds a link to the execution that issued it. */
export function addStepLink(flow: Pick<FlowState, 'stepLinks'>, link: StepLink): void {
  flow.stepLinks = [...(flow.stepLinks ?? []), link].slice(-MAX_LINKS);
}

/**
 * Records that the user has followed the link of an execution.
 * @returns the link; undefined if no execution of this login issued it
 */
export function followStepLink(
  flow: Pick<FlowState, 'stepLinks'>,
  id: string,
  followed: FollowedLink,
): StepLink | undefined {
  const link = flow.stepLinks?.find((candidate) => candidate.id === id);
  if (link !== undefined)
    flow.stepLinks = flow.stepLinks?.map((candidate) => (candidate === link ? { ...link, followed } : candidate));
  return link;
}

/** Removes the links of an execution that has succeeded. If it runs again, it needs a new link. */
export function removeStepLinks(flow: Pick<FlowState, 'stepLinks'>, execution: string): void {
  if (flow.stepLinks !== undefined) flow.stepLinks = flow.stepLinks.filter((link) => link.execution !== execution);
}
