import type { SettingState } from '../../core/config/settings/setting-state.js';

/** Values for settings that must not be texts in a realm file. */
const VALUES: Readonly<Record<string, unknown>> = {
  accessCodeLifespanUserAction: 7,
  accessTokenLifespanForImplicitFlow: 7,
  authenticateByDefault: true,
  authorizationServicesEnabled: true,
  authorizationSettings: { policyEnforcementMode: 'PERMISSIVE' },
  browserSecurityHeaders: { xFrameOptions: 'DENY' },
  clientOfflineSessionIdleTimeout: 7,
  clientOfflineSessionMaxLifespan: 7,
  implicitFlowEnabled: true,
  'is-negative-logic': true,
  nodeReRegistrationTimeout: 7,
  registeredNodes: { node: 7 },
  surrogateAuthRequired: true,
  userSetupAllowed: true,
};
/** A value that asks for something. Other settings of the same names are texts. */
export function idleValue(kind: string, name: string, state: SettingState): unknown {
  if (state.state === 'ignored' && state.exceptValues.includes('true'))
    return kind.includes('Mapper') ? 'false' : false;
  return kind.includes('config') || VALUES[name] === undefined ? 'something' : VALUES[name];
}
