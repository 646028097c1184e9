import type {
  IssuedActionToken,
  OutboundAnswer,
  OutboundRequest,
  Principal,
  TokenEndpointResponse,
} from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import type { Work } from '../background/background-runs.js';
import type { ActionTokenRequest, Caller, HostSession } from './session.js';

/** What sessions offer beyond this room: given by the rooms above when the host is put together. */
export interface SessionServices {
  authenticate(realm: Realm, caller: Caller): Promise<Principal>;
  tokenRequest(realm: Realm, form: Readonly<Record<string, string>>, caller: Caller): Promise<TokenEndpointResponse>;
  issueActionToken(realm: Realm, request: ActionTokenRequest, session: HostSession): Promise<IssuedActionToken>;
  /** @param signal ends it */
  outboundRequest(request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer>;
  /** @throws HostError `background_unknown` where the plugin has no such work, `invalid_argument` */
  wake(work: Work, plugin: string): void;
}
