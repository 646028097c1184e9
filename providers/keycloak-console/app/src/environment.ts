import type { KeycloakProvider } from '@keycloak/keycloak-admin-ui';
import type { ComponentProps } from 'react';
import mark from './mark.svg';

/** What the host says of itself and of the realm whose console this is: the block `environment` of the page. */
export type Environment = ComponentProps<typeof KeycloakProvider>['environment'] & { readonly adminBaseUrl: string };

/** @throws Error where the page was not written by a host */
export function readEnvironment(): Environment {
  const block = document.getElementById('environment')?.textContent ?? '';
  if (block.trim() === '') throw new Error('the page says nothing of its host: it is served by Keyhost, not by itself');
  // Keycloak's own logo is named below the address of its resources.
  return { ...(JSON.parse(block) as Environment), logo: mark.slice(mark.lastIndexOf('/')) };
}
