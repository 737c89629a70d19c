import type { SimTime } from '../../../sim/time.ts';
import type { Film } from '../../model/film/film.ts';
import type { TimelineMessage } from './messages.ts';
import type { Said } from '../../model/format.ts';

export type Say = (said: Said<TimelineMessage>) => string;

export interface TimelineProps {
  film: Film;
  /** Of the film: rises when it grew. */
  version: number;
  cursor: SimTime;
  playing: boolean;
  selectedPod: string | undefined;
  selectedLane?: string | undefined;
  language: 'en' | 'zh';
  /** A question is open: the future stays hidden. */
  fog?: boolean;
  /** Large rows for a projector, at most six. */
  presenter?: boolean;
  filter?: string;
  onSeek: (at: SimTime) => void;
  onSelectPod: (podUid: string | undefined) => void;
  /** Click on a node's row or a service's row. */
  onSelectLane?: (laneId: string) => void;
}
