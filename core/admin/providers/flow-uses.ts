import { Authenticator, FormAction } from '@keyhost/spi';
import type { RealmRepresentation } from '../../model/representation.js';
import { flowsWithBuiltIns } from '../../realms/flows/built-in-flows.js';
import { MAX_DEPTH } from '../../realms/flows/flow-sizes.js';

/** A step of a flow that uses a provider. */
export interface FlowUse {
  /** The alias of the top-level flow. */
  readonly flow: string;
  /** The alias of the flow in it that contains the step; absent if the top-level flow contains it. */
  readonly subflow?: string;
  /** `REQUIRED`, `ALTERNATIVE`, `CONDITIONAL` or `DISABLED`. */
  readonly requirement: string;
}

/**
 * The steps of a realm's flows that use an authenticator or a form action, including those of built-in flows.
 * @returns undefined for providers of other SPIs
 */
export function flowUses(
  { authenticationFlows }: RealmRepresentation,
  { spi, id }: { readonly spi: string; readonly id: string },
): FlowUse[] | undefined {
  if (spi !== Authenticator.id && spi !== FormAction.id) return undefined;
  const flows = flowsWithBuiltIns(authenticationFlows);
  return flows.flatMap(({ alias, authenticationExecutions = [] }) =>
    authenticationExecutions
      .filter(({ authenticator }) => authenticator === id)
      .map(({ requirement = 'REQUIRED' }) => {
        const flow = topLevelAlias(alias);
        return { flow, ...(flow === alias ? {} : { subflow: alias }), requirement };
      }),
  );

  /** A flow that several others contain is listed with the first of them. */
  function topLevelAlias(alias: string, depth = 0): string {
    const parent = flows.find(({ authenticationExecutions = [] }) =>
      authenticationExecutions.some(({ flowAlias }) => flowAlias === alias),
    );
    return parent === undefined || depth >= MAX_DEPTH ? alias : topLevelAlias(parent.alias, depth + 1);
  }
}
