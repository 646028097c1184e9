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

/** Most links of a login that may still be followed. */
const MOST_LINKS = 10;

/** How far a user has come in a flow. */
export interface FlowState {
  /** What each execution of the flow came to. */
  readonly done: Map<string, 'success' | 'attempted'>;
  /** Aliases of the sub-flows that succeeded. */
  readonly passedFlows: Set<string>;
  /** The execution that waits for an answer. */
  waitsFor?: string;
  /** What a step or action kept with the page that waits. */
  kept?: { readonly by: string; readonly state: string };
  /** Links that steps issued for this login and that no step has succeeded by yet, the newest last. */
  stepLinks?: readonly StepLink[];
  /** Alternatives that the user chose, the latest first. */
  chosen: readonly string[];
  /** Types of the credentials that steps succeeded by. */
  readonly credentialTypes: Set<string>;
  userId?: string;
  /** The user of whom it is proven that this is who logs in. */
  proven?: string;
  /** The level of authentication that it has reached; none yet without it. */
  level?: number;
  /** When it reached which level, in seconds since the epoch. */
  readonly levels: Record<number, number>;
  /** Of the steps that succeeded, what `amr` tells. */
  readonly references: Record<string, number>;
}

/** The error of events about a flow that a user was let through, while nothing in it has proven who that is. */
export const UNPROVEN = 'user_not_proven';

/** True when it is proven that whoever logs in is the user whom the flow has found. */
export function isProven({ userId, proven }: Pick<FlowState, 'userId' | 'proven'>): boolean {
  return userId !== undefined && proven === userId;
}

/** Gives what was kept with the page of that step or action: once. */
export function takeState(flow: Pick<FlowState, 'kept'>, by: string): string | undefined {
  const { kept } = flow;
  if (kept?.by !== by) return undefined;
  delete flow.kept;
  return kept.state;
}

/** Keeps what belongs to the page that is shown next, and forgets what belonged to others. */
export function keepState(flow: Pick<FlowState, 'kept'>, by: string, state: string | undefined): void {
  if (state === undefined) delete flow.kept;
  else flow.kept = { by, state };
}

/** Binds a link to the step that issued it. */
export function addStepLink(flow: Pick<FlowState, 'stepLinks'>, link: StepLink): void {
  flow.stepLinks = [...(flow.stepLinks ?? []), link].slice(-MOST_LINKS);
}

/** Records that the user has followed the link of a step. @returns the link; undefined if no step of this login waits for it */
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
