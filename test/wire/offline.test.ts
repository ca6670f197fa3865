import { describeTranscripts } from './play-transcripts.ts';
import { offlineVariant } from './variants.ts';

describeTranscripts(offlineVariant);
