import '../parts/fonts.css';
import '../parts/tokens.css';
import '../parts/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { installSprite } from '../parts/sprite.ts';
import { warmUp } from '../store/scenario.ts';
import { followView } from '../store/view.ts';
import { App } from './app.tsx';
import { openFromAddress } from './address.ts';
import { installIdle } from './idle.ts';

if (location.protocol !== 'file:') {
  warmUp();
  followView(document.documentElement);
  installSprite();
  installIdle();
  void openFromAddress();
  createRoot(document.getElementById('root') as HTMLElement).render(<StrictMode><App /></StrictMode>);
}
