import type { MapperModel } from '../../model/client-scope.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import {
  EVALUATE_PATH,
  EVALUATED_SCOPE,
  type EvaluateScopeParts,
  type MapperAtWork,
  mappersOf,
  type Whose,
  whoseTokens,
} from './evaluate-scope-operations.js';

const TEXT = { type: 'string' } as const;
const CLAIMS = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      claim: TEXT,
      value: {},
      origins: {
        type: 'array',
        description: 'The mappers that say something of it, in their order; none: the claim is of the protocol.',
        items: {
          type: 'object',
          properties: {
            mapperId: TEXT,
            mapperName: TEXT,
            protocolMapper: TEXT,
            containerId: TEXT,
            containerName: { type: 'string', description: 'Of the client itself: empty.' },
            containerType: { type: 'string', description: 'client or client-scope.' },
          },
        },
      },
    },
  },
} as const;

/** Keyhost's own: the claims that a user's tokens would hold, and which mapper of which scope each is of. */
export function claimOriginOperation(parts: EvaluateScopeParts): AdminOperation {
  return {
    method: 'GET',
    path: `${EVALUATE_PATH}/claims`,
    tag: 'Clients',
    summary: "The claims of a user's tokens and userinfo, each with its mappers; also requires view-users",
    roles: ['view-clients'],
    query: { ...EVALUATED_SCOPE, userId: { type: 'string' } },
    answers: {
      status: 200,
      body: {
        type: 'object',
        properties: {
          access: CLAIMS,
          id: { ...CLAIMS, description: 'Empty without the scope openid.' },
          userinfo: { ...CLAIMS, description: 'Empty without the scope openid.' },
          scope: { type: 'string', description: 'What the tokens would say of their scope.' },
          scopes: { type: 'array', items: TEXT, description: 'The client scopes at work.' },
          refused: {
            type: 'boolean',
            description: 'A word of the scope is none that the client may have: nobody would get these tokens.',
          },
        },
      },
    },
    async handle(call) {
      const whose = await whoseTokens(parts, call);
      const { openid, displayed, scopes, valid } = whose.selection;
      const explain = (kind: 'access' | 'id' | 'userinfo') => explained(parts, call, kind, whose);
      return ok({
        access: await explain('access'),
        id: openid ? await explain('id') : [],
        userinfo: openid ? await explain('userinfo') : [],
        scope: displayed,
        scopes: scopes.map(({ name }) => name),
        refused: !valid,
      });
    },
  };
}

async function explained(
  { exampleClaims }: EvaluateScopeParts,
  call: AdminCall,
  kind: 'access' | 'id' | 'userinfo',
  whose: Whose,
): Promise<object[]> {
  const atWork = mappersOf(call, whose);
  const origins = new Map<string, MapperAtWork[]>();
  const claims = await exampleClaims(call, kind, whose, (claim, model) => {
    const origin = originOf(atWork, whose, model);
    if (origin !== undefined) origins.set(claim, [...new Set([...(origins.get(claim) ?? []), origin])]);
  });
  return Object.entries(claims).map(([claim, value]) => ({ claim, value, origins: origins.get(claim) ?? [] }));
}

/** Where a compiled mapper stands: names are unique within a client or a client scope alone. */
function originOf(atWork: readonly MapperAtWork[], { selection }: Whose, model: MapperModel): MapperAtWork | undefined {
  const scope = selection.scopes.find(({ mappers }) => mappers.includes(model));
  return atWork.find(
    ({ mapperName, containerName, protocolMapper }) =>
      mapperName === model.name && protocolMapper === model.providerId && containerName === (scope?.name ?? ''),
  );
}
