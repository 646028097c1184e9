import type { Plugin } from '@keyhost/spi';
import { builtInBroker } from '../broker/built-in-broker.js';
import { builtInActionTokens } from '../login/links/built-in-action-tokens.js';
import { builtInRequiredActions } from '../login/required-actions/built-in-required-actions.js';
import { builtInAuthenticators } from '../login/steps/built-in-authenticators.js';
import { builtInGrants } from '../oidc/grants/built-in-grants.js';
import type { GrantServices } from '../oidc/grants/services.js';
import { logListener } from '../registry/events/log-listener.js';
import { protocolMappers } from '../tokens/mappers.js';

type BuiltInServices = GrantServices &
  Parameters<typeof builtInAuthenticators>[0] &
  Parameters<typeof builtInRequiredActions>[0] &
  Parameters<typeof builtInActionTokens>[0] &
  Parameters<typeof builtInBroker>[0];

/** Keyhost's own providers, through the same SPI as anyone's. */
export function builtInPlugins(services: BuiltInServices): readonly Plugin[] {
  return [
    protocolMappers,
    logListener,
    builtInGrants(services),
    builtInAuthenticators(services),
    builtInRequiredActions(services),
    builtInActionTokens(services),
    builtInBroker(services),
  ];
}

/** The same for who reads what they declare and never opens them: what they would work with is not needed. */
export function declaredBuiltIns(): readonly Plugin[] {
  return builtInPlugins({} as BuiltInServices);
}
