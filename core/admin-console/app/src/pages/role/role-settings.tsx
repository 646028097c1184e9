import { changeRole, rolesKey } from '../../api/roles.ts';
import { useTexts } from '../../messages/language.tsx';
import { NameAndAttributes } from '../../parts/name-and-attributes.tsx';
import type { RoleSectionProps } from './role-page.tsx';
import { texts as roleTexts } from './texts.ts';

export function RoleSettings({ realm, role, tag, canManage }: RoleSectionProps) {
  const { saved } = useTexts(roleTexts);
  return (
    <NameAndAttributes
      thing={role}
      tag={tag}
      canManage={canManage}
      refreshes={rolesKey(realm)}
      saved={saved}
      onSave={(change, ifMatch) => changeRole(realm, role.id, { change, ifMatch })}
    />
  );
}
