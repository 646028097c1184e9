import type { FollowedLink } from '@keyhost/spi';

/** A link that one step of a login issued. It proves its user to this step alone. */
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
const MOST_LINKS = 10;

/** The progress of a user in a flow. */
export interface FlowState {
  /** The result of each execution. */
  readonly done: Map<string, 'success' | 'attempted'>;
  /** Aliases of the sub-flows that succeeded. */
  readonly passedFlows: Set<string>;
  /** The execution whose answer is pending. */
  waitsFor?: string;
  /** State that a step or action stored with the pending page. */
  kept?: { readonly by: string; readonly state: string };
  /** Links issued by steps of this login that have not succeeded since, newest last. */
  stepLinks?: readonly StepLink[];
  /** Alternatives that the user chose, the latest first. */
  chosen: readonly string[];
  /** Types of the credentials that steps accepted. */
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

/** Error in events about a flow that found a user but proved no identity. */
export const UNPROVEN = 'user_not_proven';

/** True if the login has proven the identity of the user that the flow has found. */
export function isProven({ userId, proven }: Pick<FlowState, 'userId' | 'proven'>): boolean {
  return userId !== undefined && proven === userId;
}

/** Returns the state that was stored with the page of that step or action, and deletes it. */
export function consumeState(flow: Pick<FlowState, 'kept'>, by: string): string | undefined {
  const { kept } = flow;
  if (kept?.by !== by) return undefined;
  delete flow.kept;
  return kept.state;
}

/** Stores the state that belongs to the next page, in place of any other page's. */
export function storeState(flow: Pick<FlowState, 'kept'>, by: string, state: string | undefined): void {
  if (state === undefined) delete flow.kept;
  else flow.kept = { by, state };
}

/** Binds a link to the step that issued it. */
export function addStepLink(flow: Pick<FlowState, 'stepLinks'>, link: StepLink): void {
  flow.stepLinks = [...(flow.stepLinks ?? []), link].slice(-MOST_LINKS);
}

/**
 * Records that the user has followed the link of a step. @returns the link; undefined if no step of this login issued
 * it
 */
export function followStepLink(
  flow: Pick<FlowState, 'stepLinks'>,
  id: string,
  followed: FollowedLink,
): StepLink | undefined {
  const link = flow.stepLinks?.find((one) => one.id === id);
  if (link !== undefined) flow.stepLinks = flow.stepLinks?.map((one) => (one === link ? { ...link, followed } : one));
  return link;
}

/** Forgets the links of a step that has succeeded: each time that the step runs, it needs a link of its own. */
export function forgetStepLinks(flow: Pick<FlowState, 'stepLinks'>, execution: string): void {
  if (flow.stepLinks !== undefined) flow.stepLinks = flow.stepLinks.filter((link) => link.execution !== execution);
}
