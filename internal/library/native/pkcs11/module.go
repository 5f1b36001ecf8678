//go:build linux && (amd64 || arm64) && cgo

package pkcs11

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	p11 "github.com/miekg/pkcs11"

	"github.com/cryptogauge/cryptogauge/internal/library/native/object"
	"github.com/cryptogauge/cryptogauge/internal/provider"
	"github.com/cryptogauge/cryptogauge/internal/reason"
	"github.com/cryptogauge/cryptogauge/internal/subject"
	"github.com/cryptogauge/cryptogauge/result"
)

// token is a token that is logged in to. Every operation opens a session of its own with it.
type token struct {
	module  *p11.Ctx
	slot    uint
	vectors provider.Vectors
	subject result.Subject
	login   time.Duration // from C_Initialize until it was logged in
}

// Open opens a module, chooses the token and logs in. The session that logged in stays open as long as the process:
// a token logs out with its last session (PKCS #11 v2.40, section 5.6).
func Open(o *object.Object, a Access, v provider.Vectors) (provider.Provider, error) {
	t := &token{module: p11.New(o.Path), vectors: v}
	if t.module == nil { // it lacks C_GetFunctionList
		return nil, reason.New("not-pkcs11", o.Path)
	}
	begun := time.Now()
	if err := t.module.Initialize(); err != nil {
		return nil, failed("C_Initialize", err)
	}
	about, err := t.module.GetInfo()
	if err != nil {
		return nil, failed("C_GetInfo", err)
	}
	info, err := t.choose(o.Path, a.Token)
	if err != nil {
		return nil, err
	}
	version := fmt.Sprintf("%s-%d.%d", strings.ReplaceAll(trimmed(about.ManufacturerID), " ", "-"), about.LibraryVersion.Major, about.LibraryVersion.Minor)
	t.subject = result.Subject{Library: subject.PKCS11, Version: version, CallPath: subject.Cgo}
	err = t.logIn(info, a.PIN)
	t.login = time.Since(begun)
	return t, err
}

// trimmed is a text of a module's, which are padded with blanks.
func trimmed(text string) string { return strings.TrimRight(text, " \x00") }

// choose finds the slot of the token with a label, or of the only one there is.
func (t *token) choose(path, label string) (chosen p11.TokenInfo, err error) {
	slots, err := t.module.GetSlotList(true)
	if err != nil {
		return chosen, failed("C_GetSlotList", err)
	}
	var labels []string
	matching := 0
	for _, slot := range slots {
		info, err := t.module.GetTokenInfo(slot)
		if err != nil {
			return chosen, failed("C_GetTokenInfo", err)
		}
		if info.Flags&p11.CKF_TOKEN_INITIALIZED == 0 {
			continue
		}
		labels = append(labels, trimmed(info.Label))
		if label == "" || label == trimmed(info.Label) {
			t.slot, chosen = slot, info
			matching++
		}
	}
	there := strings.Join(labels, ", ")
	switch {
	case len(labels) == 0:
		return chosen, reason.New("pkcs11-no-token", path)
	case matching == 0:
		return chosen, reason.New("pkcs11-other-token", path, label, there)
	case matching > 1:
		return chosen, reason.New("pkcs11-tokens", path, matching, there)
	}
	return chosen, nil
}

// longestPIN is more than tokens take.
const longestPIN = 256

// logIn opens a session and gives it the PIN, once.
func (t *token) logIn(info p11.TokenInfo, file *os.File) error {
	label := trimmed(info.Label)
	session, err := t.module.OpenSession(t.slot, p11.CKF_SERIAL_SESSION)
	if err != nil {
		return failed("C_OpenSession", err)
	}
	switch {
	case info.Flags&p11.CKF_LOGIN_REQUIRED == 0:
		return nil
	case info.Flags&p11.CKF_USER_PIN_LOCKED != 0:
		return reason.New("pkcs11-locked", label)
	case info.Flags&p11.CKF_USER_PIN_FINAL_TRY != 0:
		return reason.New("pkcs11-last-try", label)
	case file == nil:
		return reason.New("pkcs11-no-pin", label)
	}
	pin := make([]byte, longestPIN)
	n, err := file.ReadAt(pin, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return reason.New("pkcs11-pin-unread", err)
	}
	if pin = bytes.TrimRight(pin[:n], "\r\n"); len(pin) == 0 {
		return reason.New("pkcs11-pin-refused", label)
	}
	defer clear(pin)
	err = t.module.Login(session, p11.CKU_USER, string(pin))
	switch {
	case err == nil || errors.Is(err, p11.Error(p11.CKR_USER_ALREADY_LOGGED_IN)):
		return nil
	case errors.Is(err, p11.Error(p11.CKR_PIN_INCORRECT)), errors.Is(err, p11.Error(p11.CKR_PIN_LEN_RANGE)),
		errors.Is(err, p11.Error(p11.CKR_PIN_INVALID)), errors.Is(err, p11.Error(p11.CKR_PIN_LOCKED)):
		_ = file.Truncate(0) // so that no other worker of the run tries it
		return reason.New("pkcs11-pin-refused", label)
	}
	return failed("C_Login", err)
}

// failed is the error of a function of the module, in PKCS #11's own words.
func failed(function string, err error) error {
	return reason.New("pkcs11-returned", function, said(err))
}

// refused is the error of a case that the token does not do.
func refused(function string, err error) error {
	return provider.Unsupported("pkcs11-refuses", function, said(err))
}

// said is the name of what a function returned, or its number where that is a vendor's own.
func said(err error) string {
	code, ok := errors.AsType[p11.Error](err)
	if !ok {
		return err.Error()
	}
	if _, name, ok := strings.Cut(code.Error(), "CKR_"); ok {
		return "CKR_" + name
	}
	return fmt.Sprintf("%#x", uint(code))
}
