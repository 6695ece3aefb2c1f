import { type Json, redactedTexts, type Redactor } from '#kernel';
import { cleanText } from './bounded-text.js';

/** Text by text: a whole JSON text could lose its end to a blot. */
export const redactedJson = (value: Json, redactor: Redactor): Json =>
  redactedTexts(value, (text) => cleanText(text, redactor));
