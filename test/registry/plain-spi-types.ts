import type {
  ActionToken,
  ActionTokenContext,
  ActionTokenProvider,
  AuthenticationSession,
  AuthenticatorProvider,
  EventListenerProvider,
  Grant,
  GrpcCall,
  Json,
  ProtocolMapperProvider,
  RequiredActionProvider,
  ResourceRequest,
  ResourceResponse,
  Session,
  ThemeProvider,
} from '@keyhost/spi';

/*
 * All values that the SPI passes between the host and a plugin must be plain data, so that a worker gets them
 * unchanged. This file runs no test: it fails to compile if an SPI passes anything else.
 */

declare const reason: unique symbol;
/** The reason why a value cannot be sent to a worker. The compiler prints it with the path of the member. */
interface NotPlain<R extends string> {
  readonly [reason]: R;
}

type Plain<T> = 0 extends 1 & T
  ? NotPlain<'any'>
  : unknown extends T
    ? NotPlain<'unknown'>
    : T extends Json | bigint | undefined | Uint8Array | Date
      ? T
      : T extends (...args: never[]) => unknown
        ? NotPlain<'a function'>
        : T extends symbol | URL | Headers | AbortSignal | Error | Promise<unknown> | AsyncIterable<unknown>
          ? NotPlain<'an object of the host'>
          : { [K in keyof T]: Plain<T[K]> };

/** `true`, or the type with the reason at each faulty member. */
type IsPlain<T> = [T] extends [Plain<T>] ? true : Plain<T>;

/** The check of each parameter and result of a provider's methods. */
type CrossingValues<P> = {
  [K in keyof P]-?: NonNullable<P[K]> extends (...args: infer A) => infer R
    ? { takes: { [I in keyof A]: IsPlain<A[I]> }; returns: IsPlain<Awaited<R>> }
    : never;
};

type AllPlain<P> = {
  [K in keyof P]-?: NonNullable<P[K]> extends (...args: infer A) => unknown
    ? { takes: { [I in keyof A]: true }; returns: true }
    : never;
};

/**
 * `true` if the provider's methods take and return plain data only; otherwise the results, for the compiler's message.
 */
type Check<P> = CrossingValues<P> extends AllPlain<P> ? true : CrossingValues<P>;

/** A type without its live members, which the host bridges on purpose. The rest must be plain. */
type WithoutLive<T, Live extends keyof T> = Omit<T, Live>;

export const spiValuesArePlain: {
  readonly resource: Check<{ run(request: ResourceRequest): Promise<ResourceResponse> }>;
  readonly grant: Check<Grant>;
  readonly mapper: Check<ProtocolMapperProvider>;
  readonly listener: Check<EventListenerProvider>;
  readonly authenticator: Check<AuthenticatorProvider>;
  readonly action: Check<RequiredActionProvider>;
  readonly theme: Check<ThemeProvider>;
  readonly handler: Check<{
    reusable: NonNullable<ActionTokenProvider['reusable']>;
    confirm(token: ActionToken): ReturnType<NonNullable<ActionTokenProvider['confirm']>>;
    requiredActions(token: ActionToken): ReturnType<NonNullable<ActionTokenProvider['requiredActions']>>;
    handle(token: ActionToken): ReturnType<NonNullable<ActionTokenProvider['handle']>>;
    context(context: WithoutLive<ActionTokenContext, 'authenticationSession' | 'browserUser'>): void;
    session(session: WithoutLive<AuthenticationSession, 'notes' | 'setNote'>): void;
  }>;
  readonly call: Check<{ call(call: WithoutLive<GrpcCall, 'signal'>): void }>;
  readonly session: Check<Session['users'] & Session['clients'] & Session['events'] & Session['store']>;
  readonly tokens: Check<Session['actionTokens'] & Pick<Session, 'authenticate' | 'tokenRequest'>>;
} = {
  resource: true,
  grant: true,
  mapper: true,
  listener: true,
  authenticator: true,
  action: true,
  theme: true,
  handler: true,
  call: true,
  session: true,
  tokens: true,
};

/** Shows that the check itself detects values that cannot be sent to a worker. */
export const detectsNonPlainValues: {
  readonly url: Check<{ run(request: { readonly at: URL }): Promise<void> }> extends true ? never : 'refused';
  readonly function: Check<{ run(): Promise<{ readonly call: () => void }> }> extends true ? never : 'refused';
  readonly any: Check<{ run(): Promise<{ readonly list: readonly unknown[] }> }> extends true ? never : 'refused';
} = { url: 'refused', function: 'refused', any: 'refused' };
