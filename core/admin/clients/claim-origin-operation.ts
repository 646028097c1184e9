import type { MapperModel } from '../../model/client-scope.js';
import { type AdminCall, type AdminOperation, ok } from '../operation.js';
import {
  EVALUATE_PATH,
  type EvaluateScopeParts,
  type ExampleSubject,
  effectiveMappers,
  findExampleSubject,
  type MapperEvaluation,
  SCOPE_PARAMETER,
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
        description: 'The mappers that set it, in order; empty: the claim is part of the protocol.',
        items: {
          type: 'object',
          properties: {
            mapperId: TEXT,
            mapperName: TEXT,
            protocolMapper: TEXT,
            containerId: TEXT,
            containerName: { type: 'string', description: 'Empty for the client itself.' },
            containerType: { type: 'string', description: 'client or client-scope.' },
          },
        },
      },
    },
  },
} as const;

/** Keyhost's own API: the claims that a user's tokens would contain, each with the mappers that set it. */
export function claimOriginOperation(parts: EvaluateScopeParts): AdminOperation {
  return {
    method: 'GET',
    path: `${EVALUATE_PATH}/claims`,
    tag: 'Clients',
    summary: "The claims of a user's tokens and userinfo, each with its mappers; also requires view-users",
    roles: ['view-clients'],
    query: { ...SCOPE_PARAMETER, userId: { type: 'string' } },
    answers: {
      status: 200,
      body: {
        type: 'object',
        properties: {
          access: CLAIMS,
          id: { ...CLAIMS, description: 'Empty without the scope openid.' },
          userinfo: { ...CLAIMS, description: 'Empty without the scope openid.' },
          scope: { type: 'string', description: 'Scope of the tokens.' },
          scopes: { type: 'array', items: TEXT, description: 'Client scopes that apply.' },
          refused: {
            type: 'boolean',
            description: 'The client cannot request one of the scopes: these tokens are never issued.',
          },
        },
      },
    },
    async handle(call) {
      const subject = await findExampleSubject(parts, call);
      const { openid, tokenScope, scopes, isValid } = subject.selection;
      const explain = (kind: 'access' | 'id' | 'userinfo') => explainClaims(parts, call, kind, subject);
      return ok({
        access: await explain('access'),
        id: openid ? await explain('id') : [],
        userinfo: openid ? await explain('userinfo') : [],
        scope: tokenScope,
        scopes: scopes.map(({ name }) => name),
        refused: !isValid,
      });
    },
  };
}

async function explainClaims(
  { exampleClaims }: EvaluateScopeParts,
  call: AdminCall,
  kind: 'access' | 'id' | 'userinfo',
  subject: ExampleSubject,
): Promise<object[]> {
  const mappers = effectiveMappers(call, subject);
  const origins = new Map<string, MapperEvaluation[]>();
  const claims = await exampleClaims(call, kind, subject, (claim, model) => {
    const origin = originOf(mappers, subject, model);
    if (origin !== undefined) origins.set(claim, [...new Set([...(origins.get(claim) ?? []), origin])]);
  });
  return Object.entries(claims).map(([claim, value]) => ({ claim, value, origins: origins.get(claim) ?? [] }));
}

/** Finds the stored definition of a compiled mapper. Mapper names are unique only within a client or a client scope. */
function originOf(
  evaluations: readonly MapperEvaluation[],
  { selection }: ExampleSubject,
  model: MapperModel,
): MapperEvaluation | undefined {
  const scope = selection.scopes.find(({ mappers }) => mappers.includes(model));
  return evaluations.find(
    ({ mapperName, containerName, protocolMapper }) =>
      mapperName === model.name && protocolMapper === model.providerId && containerName === (scope?.name ?? ''),
  );
}
