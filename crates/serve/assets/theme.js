// Before the page is drawn: the colours that were chosen last time, where some were.
{
  const chosen = localStorage.getItem("patois-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}
