"""Users and groups in Django's own pages: for those who have the permission `admin`."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest

from benchmarks.doors.identity import of_user
from benchmarks.doors.permissions import Permission


class ForAdmins:
    """Asks the lab's own permission, whatever Django's say."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_admin(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_admin(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_admin(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_admin(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_admin(request)


def is_admin(request: HttpRequest) -> bool:
    """Whether the person may manage users."""
    user = request.user
    return user.is_authenticated and of_user(user, "admin").may(Permission.ADMIN)


admin.site.unregister(User)
admin.site.unregister(Group)


@admin.register(User)
class LabUserAdmin(ForAdmins, UserAdmin):  # type: ignore[type-arg]
    """Users; a person of the lab is in one of its groups, which say all that they may do."""

    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Personal info", {"fields": ("first_name", "last_name", "email")}),
        ("Permissions", {"fields": ("is_active", "is_superuser", "groups")}),
        ("Important dates", {"fields": ("last_login", "date_joined")}),
    )
    list_display = ("username", "first_name", "last_name", "is_active", "is_superuser")
    list_filter = ("is_active", "is_superuser", "groups")


@admin.register(Group)
class LabGroupAdmin(ForAdmins, GroupAdmin):
    """Groups; what the lab's three may do is said in code, not here."""
