import { useMessages, useTexts } from '../../messages/language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Time } from '../../parts/time.tsx';
import { PagesAt } from '../plugin-page/pages-at.tsx';
import { Profile } from './profile.tsx';
import { texts as userTexts } from './texts.ts';
import { UserFrame } from './user-frame.tsx';

export default function UserPage({ realm, id }: { realm: string; id: string }) {
  const texts = useTexts(userTexts);
  const { none } = useMessages();
  return (
    <UserFrame realm={realm} id={id} tab="profile">
      {(props) => {
        const { user } = props;
        const created = user.createdTimestamp === undefined ? none : <Time key="at" at={user.createdTimestamp} />;
        return (
          <>
            <Facts
              facts={[
                [texts.id, <code key="id">{user.id}</code>],
                [texts.created, created],
              ]}
            />
            <Profile {...props} />
            <PagesAt realm={realm} place={{ at: 'user', subject: user.id }} />
          </>
        );
      }}
    </UserFrame>
  );
}
