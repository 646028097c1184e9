import type { ActionTokenContext, AuthenticationSession, GrpcCall } from '@keyhost/spi';

/** What an instance of a worker may call back to, besides its session. */
export interface LiveArguments {
  readonly authenticationSession?: AuthenticationSession;
  readonly browserUser?: ActionTokenContext['browserUser'];
}

/** What the worker's end puts in the place of live arguments. */
export interface Bridge {
  readonly signal: AbortSignal;
  call(method: string, ...args: unknown[]): Promise<unknown>;
}

interface Crossing {
  readonly out: (args: readonly unknown[]) => { args: readonly unknown[]; live?: LiveArguments };
  readonly into: (args: readonly unknown[], bridge: Bridge) => readonly unknown[];
}

/** A clone gives maps of names the members of every object, such as `constructor`: they must have none. */
function withoutPrototype(name: string): Crossing {
  return {
    out: (args) => ({ args }),
    into: (args) => {
      const map = (args[0] as Record<string, object> | undefined)?.[name];
      if (map !== undefined) Object.setPrototypeOf(map, null);
      return args;
    },
  };
}

/** The kinds whose methods take more than data. */
const CROSSINGS: Readonly<Record<string, Crossing>> = {
  'grpc-service': {
    out: ([request, call]) => {
      const { metadata, deadline, principal } = call as GrpcCall;
      return { args: [request, { metadata, deadline, principal }] };
    },
    into: ([request, call], { signal }) => [request, { ...(call as object), signal }],
  },
  'action-token-handler': {
    out: ([token, context]) => {
      if (context === undefined) return { args: [token] };
      const { user, authenticationSession, browserUser } = context as ActionTokenContext;
      const { id, client, joined } = authenticationSession;
      const plain = { user, authenticationSession: { id, client, joined } };
      return { args: [token, plain], live: { authenticationSession, browserUser } };
    },
    into: ([token, context], { call }) => {
      if (context === undefined) return [token];
      const { user, authenticationSession } = context as ActionTokenContext;
      return [
        token,
        {
          user,
          authenticationSession: {
            ...authenticationSession,
            notes: () => call('authenticationSession.notes'),
            setNote: (name: string, value: string) => call('authenticationSession.setNote', name, value),
          },
          browserUser: () => call('browserUser'),
        },
      ];
    },
  },
  'realm-restapi-extension': withoutPrototype('query'),
  'oauth2-grant-type': withoutPrototype('form'),
};

/** The arguments of a call as data, and what of them stays alive here. */
export function argumentsOut(spi: string, args: readonly unknown[]): ReturnType<Crossing['out']> {
  return CROSSINGS[spi]?.out(args) ?? { args };
}

/** The arguments of a call as a provider expects them. */
export function argumentsInto(spi: string, args: readonly unknown[], bridge: Bridge): readonly unknown[] {
  return CROSSINGS[spi]?.into(args, bridge) ?? args;
}
