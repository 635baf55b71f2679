import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Header } from 'react-aria-components/Header';
import { Menu, MenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Separator } from 'react-aria-components/Separator';
import type { Me } from '../../../model/wire/access.ts';
import { nameOfUrn } from '../api/urns.ts';
import { Button } from '../parts/button.tsx';
import { logOut } from './log-out.ts';
import { rememberedTheme, rememberTheme, THEMES, type Theme } from './theme.ts';
import '../parts/menu.css';
import './user-menu.css';

const THEME_LABELS: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' };

/** Who is signed in, the theme, and the way out. */
export function UserMenu({ me }: { readonly me: Me }) {
  const [theme, setTheme] = useState(rememberedTheme);
  const navigate = useNavigate();
  const name = me.displayName || nameOfUrn(me.actor);
  const choose = (next: Theme) => {
    rememberTheme(next);
    setTheme(next);
  };
  return (
    <MenuTrigger>
      <Button aria-label={`User menu: ${name}`}>
        <span className="user-name">{name}</span> <span aria-hidden="true">▾</span>
      </Button>
      <Popover className="menu-popover" placement="bottom end">
        <Menu className="menu">
          <MenuSection
            aria-label="Theme"
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[theme]}
            onSelectionChange={(keys) => choose([...keys][0] as Theme)}
          >
            <Header className="menu-header">Theme</Header>
            {THEMES.map((each) => (
              <MenuItem key={each} id={each} className="menu-item">
                {THEME_LABELS[each]}
              </MenuItem>
            ))}
          </MenuSection>
          {me.authEnabled && <Separator className="menu-separator" />}
          {me.authEnabled && (
            <MenuSection aria-label="Account">
              <MenuItem className="menu-item" onAction={() => void navigate({ to: '/settings/account' })}>
                Account
              </MenuItem>
              <MenuItem className="menu-item" onAction={() => void logOut()}>
                Log out
              </MenuItem>
            </MenuSection>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
