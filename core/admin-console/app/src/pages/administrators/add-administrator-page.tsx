import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { realmNames } from '../../api/realms.ts';
import { useRights } from '../../api/rights.ts';
import type { ListedUser } from '../../api/users.ts';
import { Page } from '../../frame/page.tsx';
import { useUnsaved } from '../../frame/unsaved.ts';
import { useTexts } from '../../messages/language.tsx';
import { MAX_CHOICES, Picker } from '../../parts/picker.tsx';
import { UserPicker } from '../../parts/user-picker.tsx';
import { PresetChoice } from './preset-choice.tsx';
import { type PresetId, presetsOf } from './presets.ts';
import { RolePreview } from './role-preview.tsx';
import { texts as administratorTexts } from './texts.ts';

const MASTER = 'master';

/** Makes a user of the realm an administrator, by a preset. */
export default function AddAdministratorPage({ realm }: { realm: string }) {
  const texts = useTexts(administratorTexts);
  const can = useRights(realm);
  const back = <Link href={`/realms/${encodeSegment(realm)}/administrators`}>{texts.back(realm)}</Link>;
  return (
    <Page title={texts.addTitle(realm)} lead={back}>
      {can('manage-users') ? <AddForm realm={realm} /> : <p className="notice">{texts.mayNot}</p>}
    </Page>
  );
}

function AddForm({ realm }: { realm: string }) {
  const texts = useTexts(administratorTexts);
  const [user, setUser] = useState<ListedUser>();
  const [over, setOver] = useState(realm);
  const [presetId, setPresetId] = useState<PresetId>();
  const presets = presetsOf(realm, over);
  const preset = presets.find(({ id }) => id === presetId);
  useUnsaved(user !== undefined);
  return (
    <div className="card fields add-administrator">
      <UserPicker
        realm={realm}
        label={texts.who}
        nothing={texts.noUser}
        chosen={user?.username ?? ''}
        onPick={setUser}
      />
      {user?.access.mapRoles === false && (
        <p className="field-errors" role="alert">
          {texts.outOfReach(user.username)}
        </p>
      )}
      {realm === MASTER && <RealmPicker over={over} onPick={setOver} />}
      <PresetChoice over={over} presets={presets} chosen={preset} onChoose={setPresetId} />
      <RolePreview
        realm={realm}
        user={user?.access.mapRoles === false ? undefined : user}
        preset={preset}
        onAdded={() => setUser(undefined)}
      />
    </div>
  );
}

/** In master: the realm that the user shall manage. */
function RealmPicker({ over, onPick }: { over: string; onPick: (realm: string) => void }) {
  const texts = useTexts(administratorTexts);
  const [search, setSearch] = useState('');
  const { data, isPlaceholderData } = useQuery(realmNames(search, 0, MAX_CHOICES));
  const choices = data?.map(({ name, displayName }) => ({ id: name, name, detail: displayName }));
  return (
    <Picker
      label={texts.over}
      choices={isPlaceholderData ? undefined : choices}
      nothing={texts.noRealm}
      chosen={over}
      onSearch={setSearch}
      onPick={({ name }) => onPick(name)}
    />
  );
}
