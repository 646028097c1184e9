import type { SchemaProblem } from '../config/json/schema-check.js';
import type { Patterns } from '../model/patterns.js';
import type { RealmRepresentation } from '../model/representation.js';
import { USER_PROFILE_PATH, userProfileOf } from '../model/user-profile.js';
import { parseRequiredClaims } from '../model/wanted-claims.js';
import { CONDITIONAL_OTP, HEADER_PATTERNS, headerPattern } from './flows/header-patterns.js';

/** Keycloak's condition whose expected value can be a pattern. */
const USER_ATTRIBUTE = 'conditional-user-attribute';

/**
 * Finds patterns of a realm that would be too expensive: in its user profile, in conditions of its flows, and in
 * mappers of its identity providers. A text that is not RE2 syntax is accepted, and matches nothing.
 * @param realm a realm whose user profile is readable
 */
export function findExpensivePatterns(realm: RealmRepresentation, patterns: Patterns): SchemaProblem[] {
  return [
    ...profileProblems(realm, patterns),
    ...conditionProblems(realm, patterns),
    ...mapperProblems(realm, patterns),
  ];
}

function profileProblems(realm: RealmRepresentation, patterns: Patterns): SchemaProblem[] {
  return userProfileOf(realm).attributes.flatMap(({ name, validations }) => {
    const mistake = costProblem(validations?.pattern?.pattern, patterns);
    if (mistake === undefined) return [];
    return [{ path: USER_PROFILE_PATH, message: `validator 'pattern' of attribute '${name}': ${mistake}` }];
  });
}

function conditionProblems(
  { authenticationFlows = [], authenticatorConfig = [] }: RealmRepresentation,
  patterns: Patterns,
): SchemaProblem[] {
  const executions = authenticationFlows.flatMap((flow) => flow.authenticationExecutions ?? []);
  const attributeAliases = new Set(
    executions.filter((one) => one.authenticator === USER_ATTRIBUTE).map((one) => one.authenticatorConfig),
  );
  const headerAliases = new Set(
    executions.filter((one) => one.authenticator === CONDITIONAL_OTP).map((one) => one.authenticatorConfig),
  );
  const headerProblems = authenticatorConfig.flatMap(({ alias, config = {} }, index) => {
    if (!headerAliases.has(alias)) return [];
    return HEADER_PATTERNS.flatMap((key) => {
      const mistake = config[key] ? costProblem(headerPattern(String(config[key])), patterns) : undefined;
      return mistake === undefined ? [] : [{ path: ['authenticatorConfig', index, 'config', key], message: mistake }];
    });
  });
  const attributeProblems = authenticatorConfig.flatMap(({ alias, config = {} }, index) => {
    if (!attributeAliases.has(alias) || config.regex !== 'true') return [];
    const mistake = costProblem(config.attribute_expected_value, patterns);
    const path = ['authenticatorConfig', index, 'config', 'attribute_expected_value'];
    return mistake === undefined ? [] : [{ path, message: mistake }];
  });
  return [...attributeProblems, ...headerProblems];
}

function mapperProblems({ identityProviderMappers = [] }: RealmRepresentation, patterns: Patterns): SchemaProblem[] {
  return identityProviderMappers.flatMap(({ config = {} }, index) => {
    const { byPattern = false, claims = [] } = parseRequiredClaims(config) ?? {};
    const mistake = claims.map(({ value }) => (byPattern ? patterns.costProblemWith(value) : undefined)).find(Boolean);
    const path = ['identityProviderMappers', index, 'config', 'claims'];
    return mistake === undefined ? [] : [{ path, message: mistake }];
  });
}

function costProblem(pattern: unknown, patterns: Patterns): string | undefined {
  return typeof pattern === 'string' ? patterns.costProblemWith(pattern) : undefined;
}
